// SPDX-License-Identifier: Apache-2.0
package confirm;

/** A daemon races with a shutdown hook: when main returns, or, with the argument {@code exit}, when it exits. */
public final class LastHook {
  static int raced;

  private LastHook() {}

  public static void main(String[] arguments) throws Exception {
    Thread daemon = new Thread(() -> {
      while (true) {
        raced = 1;
        try {
          Thread.sleep(1);
        } catch (InterruptedException e) {
          return;
        }
      }
    }, "daemon");
    daemon.setDaemon(true);
    daemon.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> raced = 2, "hook"));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("the other hook"), "other"));
    Thread.sleep(5);
    if (arguments.length > 0) System.exit(0);
  }
}
