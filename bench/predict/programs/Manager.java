// SPDX-License-Identifier: Apache-2.0
package programs;

/** A manager of memory blocks: releasing one checks and counts in two steps. */
public final class Manager {
  private final boolean[] used = {true, true, true, true};
  private int released;
  private String last = "nobody";

  void release(String who) {
    for (int i = 0; i < used.length; i++) {
      boolean mine;
      synchronized (used) {
        mine = used[i];
      }
      if (!mine) continue;
      synchronized (used) {
        used[i] = false;
      }
      released++;
      last = who;
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    Manager manager = new Manager();
    StartTogether.run(() -> manager.release("worker 0"), () -> manager.release("worker 1"), () -> manager.release("worker 2"));
    if (manager.released > 4) throw new IllegalStateException(manager.last + ": released twice");
  }
}
