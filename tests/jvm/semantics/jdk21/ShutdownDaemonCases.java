// SPDX-License-Identifier: Apache-2.0
package semantics;

/** In older JDKs the monitor of the thread group orders this. */
final class ShutdownDaemonCases {
  /** The daemon has ended when the shutdown begins (or accesses last, where the hook goes first): nobody waits for daemons. */
  @Case.Alone
  @Case.Racy("x")
  static final class EndedDaemon_race extends Case.Solo {
    int x;

    void run() {
      boolean daemonFirst = Order.first() == A;
      Runtime.getRuntime().addShutdownHook(new Thread(() -> {
        x = 2;
        Order.signal(1);
        if (!daemonFirst) Order.await(2);
      }));
      Thread daemon = Thread.ofPlatform().daemon().start(() -> {
        if (!daemonFirst) Order.await(1);
        x = 1;
        Order.signal(2);
      });
      if (daemonFirst) awaitEndUnseen(daemon);
    }

    private static void awaitEndUnseen(Thread t) {
      Thread.ofPlatform().daemon().start(() -> {
        while (t.getState() != Thread.State.TERMINATED) Thread.yield();
        Order.signal(3);
      });
      Order.await(3);
    }
  }
}
