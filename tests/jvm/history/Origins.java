// SPDX-License-Identifier: Apache-2.0
package history;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Pairs of threads that race on a field each, in an order that the agent does not see. origins.py knows where the threads were started (the
 * comments {@code at}) and which locks they hold.
 */
public final class Origins {
  static final class Box {
    int main, child, pool, virtual, owned;
  }

  static final class Guard {}

  static final Box box = new Box();  // at box
  static final Guard guard = new Guard();
  static final ReentrantLock left = new ReentrantLock(), right = new ReentrantLock();
  static final int[] cells = new int[20];  // at cells
  /** The first flag of each pair: the second thread is there, the first one is done. The rest are those of Stacks. */
  static final int MAIN = 40, CHILD = 42, POOL = 44, VIRTUAL = 46, ARRAY = 48, OWNED = 50;

  /** The second thread of a pair: the access that notices the race is in {@code body}. */
  static Runnable second(int pair, Runnable body) {
    return () -> {
      Stacks.Turn.set(pair);
      Stacks.Turn.await(pair + 1);
      body.run();
    };
  }

  static void first(int pair, Runnable body) {
    Stacks.Turn.await(pair);
    body.run();
    Stacks.Turn.set(pair + 1);
  }

  static synchronized void inMethod() {
    box.main++;  // at method
  }

  /** Not nested: at the access the monitor and {@code right} are held. */
  static void acrossLocks() {
    left.lock();
    synchronized (guard) {  // at block
      left.unlock();
      right.lock();
      box.owned++;
    }
    right.unlock();
  }

  static void inLock() {
    left.lock();
    try {
      box.owned++;
    } finally {
      left.unlock();
    }
  }

  static void guarded() {
    synchronized (guard) {
      box.main++;
    }
  }

  static synchronized void inClassMonitor() {
    synchronized (guard) {
      box.child++;
    }
  }

  static void parent() {
    Thread child = new Thread(second(CHILD, Origins::inClassMonitor), "child");
    child.start();  // at child
    first(CHILD, () -> box.child++);
    join(child);
  }

  static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Stacks.Turn.set(63);
    Thread worker = new Thread(second(MAIN, Origins::guarded), "worker");
    worker.start();  // at worker
    first(MAIN, Origins::inMethod);
    worker.join();

    Thread parent = new Thread(Origins::parent, "parent");
    parent.start();  // at parent
    parent.join();

    ExecutorService pool = Executors.newFixedThreadPool(1);
    pool.execute(second(POOL, () -> box.pool++));  // at pool
    first(POOL, () -> box.pool++);
    pool.shutdown();

    Thread filler = new Thread(second(ARRAY, () -> cells[17]++), "filler");
    filler.start();  // at filler
    first(ARRAY, () -> cells[17]++);
    filler.join();

    Thread locker = new Thread(second(OWNED, Origins::inLock), "locker");
    locker.start();  // at locker
    first(OWNED, Origins::acrossLocks);
    locker.join();

    if (Runtime.version().feature() < 21) return;
    Runnable task = second(VIRTUAL, () -> box.virtual++);
    Thread virtual = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);  // at virtual
    first(VIRTUAL, () -> box.virtual++);
    virtual.join();
  }
}
