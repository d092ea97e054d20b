// SPDX-License-Identifier: Apache-2.0
package programs;

/** usage: HotLoop THREADS ROUNDS. Seven accesses a round, to fields and array elements of the thread's own; every 16th round a critical section. */
public final class HotLoop {
  int value;
  long total;

  private HotLoop() {}

  // What is made here and given to nobody would not be recorded.
  private static void run(HotLoop shared, HotLoop own, int[] data, int rounds) {
    for (int i = 0; i < rounds; i++) {
      own.value += i;
      own.total += data[i & 1023];
      data[i & 1023] = own.value;
      if ((i & 15) != 0) continue;
      synchronized (shared) {
        shared.value++;
        shared.total += own.value;
      }
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    int rounds = Integer.parseInt(arguments[1]);
    HotLoop shared = new HotLoop();
    Thread[] threads = new Thread[Integer.parseInt(arguments[0])];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Thread(() -> run(shared, new HotLoop(), new int[1024], rounds));
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    System.out.println(shared.value);
  }
}
