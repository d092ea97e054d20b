// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Correct but for those who ask how full it is. */
public final class BoundedBuffer {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final int[] slots = new int[3];
  private int count;
  private int next;

  private void put(int value) throws InterruptedException {
    lock.lock();
    try {
      while (count == slots.length) changed.await();
      slots[(next + count++) % slots.length] = value;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private int take() throws InterruptedException {
    lock.lock();
    try {
      while (count == 0) changed.await();
      int value = slots[next];
      next = (next + 1) % slots.length;
      count--;
      changed.signalAll();
      return value;
    } finally {
      lock.unlock();
    }
  }

  private boolean isEmpty() {
    return count == 0;
  }

  public static void main(String[] arguments) throws Exception {
    BoundedBuffer buffer = new BoundedBuffer();
    Threads.runAll(
        () -> {
          for (int i = 0; i < 10; i++) buffer.put(i);
        },
        () -> {
          for (int i = 0; i < 10; i++) {
            if (buffer.take() != i) throw new IllegalStateException("out of order");
          }
        },
        () -> {
          for (int i = 0; i < 3; i++) System.out.print(buffer.isEmpty() ? "" : "");
        });
  }
}
