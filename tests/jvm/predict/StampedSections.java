// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;

/**
 * As {@link LockSections}, with stamps: sections of one lock that have nothing to do with each other stand between two accesses of
 * {@code shared}. The argument says how the lock is taken.
 */
public final class StampedSections {
  private final StampedLock lock = new StampedLock();
  private int shared;
  private int first;
  private int second;

  private void section(String how, boolean before) throws InterruptedException {
    long stamp;
    switch (how) {
      case "try": stamp = before ? lock.tryWriteLock(1, TimeUnit.HOURS) : lock.writeLockInterruptibly(); break;
      case "read": stamp = before ? lock.writeLock() : lock.readLock(); break;
      case "upgrade": stamp = lock.tryConvertToWriteLock(lock.readLock()); break;
      default: stamp = lock.writeLock();
    }
    if (stamp == 0) throw new IllegalStateException("not converted");
    if (before) first++; else second++;
    switch (how) {
      case "try": if (!lock.tryUnlockWrite()) throw new IllegalStateException("not held"); break;
      case "downgrade": lock.unlockRead(lock.tryConvertToReadLock(stamp)); break;
      case "optimistic":
        if (!lock.validate(lock.tryConvertToOptimisticRead(stamp))) throw new IllegalStateException("somebody has written");
        break;
      default: lock.unlock(stamp);
    }
  }

  private void before(String how) throws InterruptedException {
    shared = 1; // 1
    section(how, true);
  }

  private void behind(String how) throws InterruptedException {
    section(how, false);
    shared = 2; // 2
  }

  private interface Part {
    void run(String how) throws InterruptedException;
  }

  private static Thread started(Part part, String how) {
    Thread thread = new Thread(() -> {
      try {
        part.run(how);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    thread.start();
    return thread;
  }

  public static void main(String[] arguments) throws InterruptedException {
    StampedSections sections = new StampedSections();
    Thread one = started(sections::before, arguments[0]);
    Thread other = started(sections::behind, arguments[0]);
    one.join();
    other.join();
  }
}
