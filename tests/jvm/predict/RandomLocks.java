// SPDX-License-Identifier: Apache-2.0
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Three threads that do at random what one can do with the locks of java.util.concurrent, and access variables inside and outside of sections; what they
 * read decides what they do next. Races are many. A prediction that cannot be false must not be, whatever the argument (a seed).
 */
public final class RandomLocks {
  private static final int THREADS = 3;
  private static final int ACTIONS = 5;

  private int a;
  private int b;
  private int c;
  private final ReentrantLock one;
  private final ReentrantReadWriteLock both;
  private final Condition changed;

  RandomLocks(Random random) {
    one = new ReentrantLock(random.nextInt(4) == 0);
    both = new ReentrantReadWriteLock(random.nextInt(4) == 0);
    changed = one.newCondition();
  }

  private int access(Random random) {
    switch (random.nextInt(6)) {
      case 0: return a;
      case 1: return b;
      case 2: return c;
      case 3: a++; return 0;
      case 4: b = 1; return 0;
      default: c = a; return 0;
    }
  }

  private void section(Random random, Lock lock) {
    lock.lock();
    try {
      if (access(random) > 0) access(random);
      if (lock == one && random.nextInt(3) == 0) section(random, both.writeLock()); // always in this order: no deadlocks
    } finally {
      lock.unlock();
    }
  }

  private void act(Random random) throws InterruptedException {
    switch (random.nextInt(9)) {
      case 0:
      case 1:
        section(random, one);
        break;
      case 2:
        section(random, both.readLock());
        break;
      case 3:
        section(random, both.writeLock());
        break;
      case 4:
        if (one.tryLock()) {
          try {
            access(random);
          } finally {
            one.unlock();
          }
        } else {
          access(random);
        }
        break;
      case 5:
        if (both.writeLock().tryLock(1, TimeUnit.MILLISECONDS)) {
          try {
            both.readLock().lock();
            access(random);
          } finally {
            both.writeLock().unlock();
          }
          access(random);
          both.readLock().unlock();
        }
        break;
      case 6:
        one.lock();
        try {
          access(random);
          if (changed.awaitNanos(1_000_000) > 0) access(random);
          one.lock();
          one.unlock();
        } finally {
          one.unlock();
        }
        break;
      case 7:
        one.lock();
        try {
          access(random);
          changed.signal();
        } finally {
          one.unlock();
        }
        break;
      default:
        if (one.isLocked() || access(random) > 0) access(random);
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    int seed = Integer.parseInt(arguments[0]);
    RandomLocks locks = new RandomLocks(new Random(seed));
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed * 31L + i);
      threads[i] = new Thread(() -> {
        try {
          for (int action = 0; action < ACTIONS; action++) locks.act(random);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }
}
