// SPDX-License-Identifier: Apache-2.0
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;

/**
 * Three threads that do at random what one can do with a StampedLock, and access variables inside and outside of sections; what they
 * read decides what they do next. Races are many. A prediction that cannot be false must not be, whatever the argument (a seed).
 */
public final class RandomStamps {
  private static final int THREADS = 3;
  private static final int ACTIONS = 5;

  private final StampedLock lock = new StampedLock();
  private int a;
  private int b;
  private int c;

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

  private void act(Random random) throws InterruptedException {
    long stamp;
    switch (random.nextInt(9)) {
      case 0:
      case 1:
        stamp = lock.writeLock();
        if (access(random) > 0) access(random);
        lock.unlockWrite(stamp);
        break;
      case 2:
        stamp = lock.readLock();
        access(random);
        lock.unlockRead(stamp);
        break;
      case 3:
        stamp = random.nextBoolean() ? lock.tryWriteLock() : lock.tryReadLock();
        access(random);
        if (stamp != 0) lock.unlock(stamp);
        break;
      case 4:
        stamp = lock.tryWriteLock(1, TimeUnit.MILLISECONDS);
        if (stamp == 0) break;
        access(random);
        stamp = lock.tryConvertToReadLock(stamp);
        access(random);
        lock.unlock(stamp);
        break;
      case 5:
        stamp = lock.readLock();
        access(random);
        long write = lock.tryConvertToWriteLock(stamp);
        access(random);
        lock.unlock(write == 0 ? stamp : write);
        break;
      case 6:
        stamp = lock.tryOptimisticRead();
        access(random);
        if (stamp == 0 || !lock.validate(stamp)) access(random);
        break;
      case 7:
        stamp = lock.tryOptimisticRead();
        access(random);
        if (stamp != 0) stamp = random.nextBoolean() ? lock.tryConvertToReadLock(stamp) : lock.tryConvertToWriteLock(stamp);
        access(random);
        if (stamp != 0) lock.unlock(stamp);
        break;
      default:
        if (lock.isReadLocked() || access(random) > 0) access(random);
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    int seed = Integer.parseInt(arguments[0]);
    RandomStamps stamps = new RandomStamps();
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed * 31L + i);
      threads[i] = new Thread(() -> {
        try {
          for (int action = 0; action < ACTIONS; action++) stamps.act(random);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }
}
