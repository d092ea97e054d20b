// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** What a lock tells beside that it is held: who sees it goes on to {@code x}, which the other thread has left by then. */
final class LockStateCases {
  static final class Flag_norace extends Case.Pair {
    final Lock lock = new ReentrantLock();
    boolean flag;
    int x;
    void a() { x = 1; lock.lock(); try { flag = true; } finally { lock.unlock(); } }
    void b() { boolean set; lock.lock(); try { set = flag; } finally { lock.unlock(); } if (set) x = 2; }
  }

  static final class FlagOfReader_norace extends Case.Pair {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    boolean flag;
    int x;
    void a() { x = 1; lock.writeLock().lock(); try { flag = true; } finally { lock.writeLock().unlock(); } }
    void b() { boolean set; lock.readLock().lock(); try { set = flag; } finally { lock.readLock().unlock(); } if (set) x = 2; }
  }

  static final class TryLockFails_norace extends Case.Pair {
    final ReentrantLock lock = new ReentrantLock();
    int x;
    void a() { x = 1; lock.lock(); }
    void b() { if (lock.tryLock()) lock.unlock(); else x = 2; }
  }

  static final class TryLockTimesOut_norace extends Case.Pair {
    final ReentrantLock lock = new ReentrantLock();
    int x;
    void a() { x = 1; lock.lock(); }
    void b() throws InterruptedException { if (lock.tryLock(1, java.util.concurrent.TimeUnit.MILLISECONDS)) lock.unlock(); else x = 2; }
  }

  static final class TryWriteLockFails_norace extends Case.Pair {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    int x;
    void a() { x = 1; lock.readLock().lock(); }
    void b() { if (lock.writeLock().tryLock()) lock.writeLock().unlock(); else x = 2; }
  }

  static final class TryReadLockFails_norace extends Case.Pair {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
    int x;
    void a() { x = 1; lock.writeLock().lock(); }
    void b() { if (lock.readLock().tryLock()) lock.readLock().unlock(); else x = 2; }
  }

  static final class IsLocked_norace extends Case.Pair {
    final ReentrantLock lock = new ReentrantLock();
    int x;
    void a() { x = 1; lock.lock(); }
    void b() { if (lock.isLocked()) x = 2; }
  }

  /** There was a section before anybody asked. */
  static final class IsLockedAgain_norace extends Case.Pair {
    final ReentrantLock lock = new ReentrantLock();
    int x;
    void a() { lock.lock(); lock.unlock(); x = 1; lock.lock(); lock.lock(); lock.unlock(); }
    void b() { if (lock.isLocked()) x = 2; }
  }

  static final class ReadLockCount_norace extends Case.Pair {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    int x;
    void a() { x = 1; lock.readLock().lock(); lock.readLock().lock(); lock.readLock().unlock(); }
    void b() { if (lock.getReadLockCount() > 0) x = 2; }
  }

  static final class ToString_norace extends Case.Pair {
    final ReentrantLock lock = new ReentrantLock(true);
    int x;
    void a() { x = 1; lock.lock(); }
    void b() { if (lock.toString().contains("[Locked")) x = 2; }
  }

  /** A signal that finds nobody is lost, and one that comes in time says so. */
  static final class AwaitTells_norace extends Case.Handoff {
    final ReentrantLock lock = new ReentrantLock();
    final Condition condition = lock.newCondition();
    int x;
    void a() { x = 1; lock.lock(); try { condition.signal(); } finally { lock.unlock(); } }
    void b() throws InterruptedException {
      boolean told;
      lock.lock();
      try { told = condition.awaitNanos(20_000_000) > 0; } finally { lock.unlock(); }
      if (told) x = 2;
    }
  }

  static final class HasWaiters_norace extends Case.Handoff {
    final ReentrantLock lock = new ReentrantLock(true);
    final Condition condition = lock.newCondition();
    int x;
    void a() throws InterruptedException { x = 1; lock.lock(); try { condition.awaitNanos(20_000_000); } finally { lock.unlock(); } }
    void b() { boolean waits; lock.lock(); try { waits = lock.hasWaiters(condition); } finally { lock.unlock(); } if (waits) x = 2; }
  }

  /** Called by code that is not watched. */
  static final class Handles_norace extends Case.Pair {
    final ReentrantLock lock = new ReentrantLock();
    final Runnable take = lock::lock;
    final Runnable give = lock::unlock;
    boolean flag;
    int x;
    void a() { x = 1; take.run(); flag = true; give.run(); }
    void b() { lock.lock(); boolean set = flag; lock.unlock(); if (set) x = 2; }
  }

  /** The lock of a class of the program's own. */
  static final class OwnLock_norace extends Case.Pair {
    static final class Counted extends ReentrantLock {
      @Override public void lock() { super.lock(); taken++; }
      int taken;
    }
    final Counted lock = new Counted();
    int x;
    void a() { lock.lock(); x++; lock.unlock(); }
    void b() { lock.lock(); x++; lock.unlock(); }
  }
}
