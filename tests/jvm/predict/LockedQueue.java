// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that hand numbers on through a buffer with a lock and two conditions: all of it is ordered, in every schedule. */
public final class LockedQueue {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notFull = lock.newCondition();
  private final Condition notEmpty = lock.newCondition();
  private int[] slot;

  void put(int[] value) throws InterruptedException {
    lock.lock();
    try {
      while (slot != null) notFull.await();
      slot = value;
      notEmpty.signal();
    } finally {
      lock.unlock();
    }
  }

  int[] take() throws InterruptedException {
    lock.lock();
    try {
      while (slot == null) notEmpty.await();
      int[] value = slot;
      slot = null;
      notFull.signal();
      return value;
    } finally {
      lock.unlock();
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    LockedQueue queue = new LockedQueue();
    Thread producer = new Thread(() -> {
      try {
        for (int i = 1; i <= 3; i++) {
          int[] value = new int[1];
          value[0] = i;
          queue.put(value);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    producer.start();
    int sum = 0;
    for (int i = 1; i <= 3; i++) sum += queue.take()[0];
    producer.join();
    if (sum != 6) throw new IllegalStateException("sum " + sum);
  }
}
