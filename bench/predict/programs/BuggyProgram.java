// SPDX-License-Identifier: Apache-2.0
package programs;

/** Workers that generate numbers into a shared history without a common idea of who is next. */
public final class BuggyProgram {
  private final int[] history = new int[64];
  private int next;
  private int sum;
  private boolean finished;
  private int longest;

  void generate(int seed) {
    int number = seed;
    for (int i = 0; i < 4; i++) {
      number = number * 31 + 7;
      int at = next;
      history[at] = number;
      next = at + 1;
      synchronized (this) {
        sum += number & 7;
      }
    }
    if (next > longest) longest = next;
    finished = true;
  }

  void check() {
    if (finished && longest > next) throw new IllegalStateException("the history shrank");
  }

  public static void main(String[] arguments) throws InterruptedException {
    BuggyProgram program = new BuggyProgram();
    Thread[] threads = new Thread[3];
    for (int i = 0; i < threads.length; i++) {
      int seed = i + 1;
      threads[i] = new Thread(() -> program.generate(seed));
      threads[i].start();
    }
    program.check();
    for (Thread thread : threads) thread.join();
    if (program.next != 12) throw new IllegalStateException("numbers lost: " + (12 - program.next));
  }
}
