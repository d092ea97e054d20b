// SPDX-License-Identifier: Apache-2.0
package confirm;

/** A daemon races with a shutdown hook: when main returns, or, with the argument {@code exit}, when it exits. */
public final class LastHook {
  static int raced;
  static volatile boolean running;

  private LastHook() {}

  public static void main(String[] arguments) {
    Thread daemon = new Thread(() -> {
      while (true) {
        raced = 1;
        if (!running) running = true;
        Thread.yield();
      }
    }, "daemon");
    daemon.setDaemon(true);
    daemon.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> raced = 2, "hook"));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("the other hook"), "other"));
    while (!running) Thread.yield();
    if (arguments.length > 0) System.exit(0);
  }
}
