// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;

/** What a {@code StampedLock} tells beside that it is held: who sees it goes on to {@code x}, which the other thread has left by then. */
final class StampedLockCases {
  static final class Flag_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    boolean flag;
    int x;
    void a() { x = 1; long s = lock.writeLock(); flag = true; lock.unlockWrite(s); }
    void b() { long s = lock.readLock(); boolean set = flag; lock.unlockRead(s); if (set) x = 2; }
  }

  static final class ReadLockInterruptibly_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    boolean flag;
    int x;
    void a() throws InterruptedException { x = 1; long s = lock.writeLockInterruptibly(); flag = true; lock.unlock(s); }
    void b() throws InterruptedException { long s = lock.readLockInterruptibly(); boolean set = flag; lock.unlock(s); if (set) x = 2; }
  }

  static final class ReadWriteView_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    final Lock reads = lock.asReadWriteLock().readLock();
    final Lock writes = lock.asReadWriteLock().writeLock();
    boolean flag;
    int x;
    void a() { x = 1; writes.lock(); flag = true; writes.unlock(); }
    void b() { reads.lock(); boolean set = flag; reads.unlock(); if (set) x = 2; }
  }

  static final class TryWriteLockFails_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    void a() { x = 1; lock.readLock(); }
    void b() { long s = lock.tryWriteLock(); if (s == 0) x = 2; else lock.unlock(s); }
  }

  static final class TryReadLockFails_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    void a() { x = 1; lock.writeLock(); }
    void b() { long s = lock.tryReadLock(); if (s == 0) x = 2; else lock.unlock(s); }
  }

  static final class TryReadLockTimesOut_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    void a() { x = 1; lock.writeLock(); }
    void b() throws InterruptedException { long s = lock.tryReadLock(1, TimeUnit.MILLISECONDS); if (s == 0) x = 2; else lock.unlock(s); }
  }

  static final class TryLockOfViewFails_norace extends Case.Pair {
    final Lock lock = new StampedLock().asWriteLock();
    int x;
    void a() { x = 1; lock.lock(); }
    void b() { if (!lock.tryLock()) x = 2; else lock.unlock(); }
  }

  static final class TryUnlockFails_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    { lock.writeLock(); }
    int x;
    void a() { x = 1; lock.tryUnlockWrite(); }
    void b() { if (!lock.tryUnlockWrite()) x = 2; }
  }

  static final class IsWriteLocked_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    void a() { x = 1; lock.writeLock(); }
    void b() { if (lock.isWriteLocked()) x = 2; }
  }

  static final class ReadLockCount_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    void a() { x = 1; long s = lock.readLock(); lock.readLock(); lock.unlockRead(s); }
    void b() { if (lock.getReadLockCount() > 0) x = 2; }
  }

  static final class OptimisticReadFails_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    void a() { x = 1; lock.writeLock(); }
    void b() { if (lock.tryOptimisticRead() == 0) x = 2; }
  }

  static final class ValidateFails_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    final long stamp = lock.tryOptimisticRead();
    int x;
    void a() { x = 1; lock.unlockWrite(lock.writeLock()); }
    void b() { if (!lock.validate(stamp)) x = 2; }
  }

  /** Behind all write sections that the stamp knows, the first one too. */
  static final class ValidateFailsLater_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    final long stamp = lock.tryOptimisticRead();
    int x;
    void a() { x = 1; lock.unlock(lock.writeLock()); lock.unlock(lock.readLock()); lock.unlock(lock.writeLock()); }
    void b() { if (!lock.validate(stamp)) x = 2; }
  }

  static final class ConvertOptimisticFails_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    final long stamp = lock.tryOptimisticRead();
    int x;
    void a() { x = 1; lock.unlockWrite(lock.writeLock()); }
    void b() { long s = lock.tryConvertToReadLock(stamp); if (s == 0) x = 2; else lock.unlock(s); }
  }

  static final class ConvertToWriteFails_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    void a() { x = 1; lock.readLock(); }
    void b() { long s = lock.tryConvertToWriteLock(lock.readLock()); if (s == 0) x = 2; else lock.unlock(s); }
  }

  static final class Downgrade_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    int seen;
    void a() { long s = lock.tryConvertToReadLock(lock.writeLock()); seen = x; lock.unlock(s); }
    void b() { long s = lock.writeLock(); x = 2; lock.unlock(s); }
  }

  static final class ConvertToOptimistic_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    void a() { long s = lock.writeLock(); x = 1; lock.tryConvertToOptimisticRead(s); }
    void b() { long s = lock.writeLock(); x = 2; lock.tryConvertToOptimisticRead(s); }
  }

  static final class OptimisticToWrite_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    void add() { long s = lock.tryConvertToWriteLock(lock.tryOptimisticRead()); x++; lock.unlock(s); }
    void a() { add(); }
    void b() { add(); }
  }

  /** A stamp is given back by another thread than got it, and the lock used on. */
  static final class HandedOn_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    volatile long stamp;
    int x;
    int y;
    void a() { long s = lock.writeLock(); x = 1; stamp = s; }
    void b() {
      if (stamp == 0) return;
      x = 2;
      lock.unlockWrite(stamp);
      long s = lock.writeLock();
      y = x;
      lock.unlockWrite(s);
    }
  }
}
