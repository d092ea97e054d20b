// SPDX-License-Identifier: Apache-2.0
package programs;

/** Two processes that keep each other out of a critical section by plain variables, and do not. */
public final class Critical {
  private int turn;
  private int inside;

  void process(int self) {
    if (turn == self) turn = 1 - self;
    inside++;
    if (inside > 1) throw new IllegalStateException("two are inside");
    inside--;
    turn = 1 - self;
  }

  public static void main(String[] arguments) throws InterruptedException {
    Critical critical = new Critical();
    Thread first = new Thread(() -> critical.process(0));
    Thread second = new Thread(() -> critical.process(1));
    first.start();
    second.start();
    first.join();
    second.join();
  }
}
