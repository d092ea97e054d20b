// SPDX-License-Identifier: Apache-2.0

/** A thread that has most likely ended when the next one is started; nobody waits for that. */
public final class StartedLater {
  private static int x;

  private StartedLater() {}

  public static void main(String[] arguments) throws Exception {
    Thread first = new Thread(() -> {
      x = 1; // 1
    }, "first");
    first.start();
    for (int i = 0; i < 200; i++) Thread.yield();
    Thread second = new Thread(() -> {
      if (x == 0) System.out.println("early"); // 2
    }, "second");
    second.start();
    first.join();
    second.join();
  }
}
