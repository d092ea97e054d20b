// SPDX-License-Identifier: Apache-2.0
package semantics;

/** Shutdown hooks run when the VM has seen the end of the last thread that is no daemon (JLS 12.8, 17.4.4), or after an exit. */
final class ShutdownCases {
  private static void atEnd(Runnable action) {
    Runtime.getRuntime().addShutdownHook(new Thread(action));
  }

  @Case.Alone
  static final class AfterMain_norace extends Case.Solo {
    int x;
    void run() {
      atEnd(() -> x++);
      x = 1;
    }
  }

  @Case.Alone
  static final class AfterWorkers_norace extends Case.Solo {
    final int[] x = new int[4];
    void run() {
      atEnd(() -> { for (int i = 0; i < x.length; i++) x[i]++; });
      for (int i = 0; i < x.length; i++) {
        int mine = i;
        new Thread(() -> x[mine] = 1).start();
      }
    }
  }

  @Case.Alone
  @Case.Racy("x")
  static final class Daemon_race extends Case.Solo {
    int x;
    void run() {
      atEnd(() -> { Order.enter(B); x = 2; Order.leave(B); while (!Order.hasLeft(A)) Thread.yield(); });
      Thread daemon = new Thread(() -> { Order.enter(A); x = 1; Order.leave(A); Order.await(0); });
      daemon.setDaemon(true);
      daemon.start();
    }
  }

  /** Who exits waits for nobody. */
  @Case.Alone
  @Case.Racy("x")
  static final class Exit_race extends Case.Solo {
    int x;
    void run() {
      atEnd(() -> { Order.enter(B); x = 2; Order.leave(B); while (!Order.hasLeft(A)) Thread.yield(); });
      new Thread(() -> { Order.enter(A); x = 1; Order.leave(A); Order.await(0); }).start();
      Thread main = Thread.currentThread();
      new Thread(() -> { while (main.isAlive()) Thread.yield(); System.exit(0); }).start();
    }
  }
}
