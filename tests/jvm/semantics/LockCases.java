// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

final class LockCases {
  static final class ReentrantLock_norace extends Case.Pair {
    final ReentrantLock lock = new ReentrantLock();
    int x;
    void add() { lock.lock(); try { x++; } finally { lock.unlock(); } }
    void a() { add(); }
    void b() { add(); }
  }

  @Case.Racy("x")
  static final class TwoReentrantLocks_race extends Case.Pair {
    final ReentrantLock one = new ReentrantLock();
    final ReentrantLock two = new ReentrantLock();
    int x;
    void a() { one.lock(); try { x++; } finally { one.unlock(); } }
    void b() { two.lock(); try { x++; } finally { two.unlock(); } }
  }

  @Case.Racy("x")
  static final class AfterUnlock_race extends Case.Pair {
    final ReentrantLock lock = new ReentrantLock();
    int x;
    void a() { lock.lock(); lock.unlock(); x = 1; }
    void b() { lock.lock(); lock.unlock(); x = 2; }
  }

  static final class FairLock_norace extends Case.Pair {
    final ReentrantLock lock = new ReentrantLock(true);
    int x;
    void add() { lock.lock(); try { lock.lock(); x++; lock.unlock(); } finally { lock.unlock(); } }
    void a() { add(); }
    void b() { add(); }
  }

  static final class TryLock_norace extends Case.Pair {
    final ReentrantLock lock = new ReentrantLock();
    int x;
    void a() { if (lock.tryLock()) try { x = 1; } finally { lock.unlock(); } }
    void b() { if (lock.tryLock()) try { x = 2; } finally { lock.unlock(); } }
  }

  static final class TryLockTimed_norace extends Case.Pair {
    final ReentrantLock lock = new ReentrantLock();
    int x;
    void a() throws Exception { if (lock.tryLock(1, TimeUnit.HOURS)) try { x = 1; } finally { lock.unlock(); } }
    void b() throws Exception { if (lock.tryLock(1, TimeUnit.HOURS)) try { x = 2; } finally { lock.unlock(); } }
  }

  static final class LockInterruptibly_norace extends Case.Pair {
    final ReentrantLock lock = new ReentrantLock();
    int x;
    void a() throws Exception { lock.lockInterruptibly(); try { x = 1; } finally { lock.unlock(); } }
    void b() throws Exception { lock.lockInterruptibly(); try { x = 2; } finally { lock.unlock(); } }
  }

  /** The second thread queues and parks until the first, which waits to see it there, unlocks. */
  static final class ContendedLock_norace extends Case.Solo {
    final ReentrantLock lock = new ReentrantLock();
    int x;
    void run() throws Exception {
      lock.lock();
      Thread t = new Thread(() -> { lock.lock(); try { x++; } finally { lock.unlock(); } });
      t.start();
      while (!lock.hasQueuedThread(t) || t.getState() != Thread.State.WAITING) Thread.yield();
      x++;
      lock.unlock();
      lock.lock();
      try { x++; } finally { lock.unlock(); }
      t.join();
    }
  }

  static final class Condition_norace extends Case.Handoff {
    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
    boolean ready;
    int x;
    void a() { x = 1; lock.lock(); try { ready = true; changed.signal(); } finally { lock.unlock(); } }
    void b() throws Exception { lock.lock(); try { while (!ready) changed.await(); } finally { lock.unlock(); } x = 2; }
  }

  @Case.Racy("x")
  static final class ConditionTooEarly_race extends Case.Handoff {
    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
    boolean ready;
    int x;
    void a() { x = 1; lock.lock(); try { ready = true; changed.signalAll(); } finally { lock.unlock(); } }
    void b() throws Exception { x = 2; lock.lock(); try { while (!ready) changed.await(); } finally { lock.unlock(); } }
  }

  static final class ConditionGivesUpLock_norace extends Case.Handoff {
    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
    boolean ready;
    int x;
    void a() { lock.lock(); try { x = 1; ready = true; changed.signalAll(); } finally { lock.unlock(); } }
    void b() throws Exception { lock.lock(); try { x = 2; while (!ready) changed.awaitNanos(Long.MAX_VALUE); x = 3; } finally { lock.unlock(); } }
  }

  static final class ConditionUninterruptibly_norace extends Case.Handoff {
    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
    boolean ready;
    int x;
    void a() { x = 1; lock.lock(); try { ready = true; changed.signalAll(); } finally { lock.unlock(); } }
    void b() { lock.lock(); try { while (!ready) changed.awaitUninterruptibly(); } finally { lock.unlock(); } x = 2; }
  }

  static final class ConditionInterrupted_norace extends Case.Handoff {
    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
    int x;
    void a() { x = 1; threadB.interrupt(); }
    void b() {
      lock.lock();
      try { for (;;) changed.await(); } catch (InterruptedException expected) { x = 2; } finally { lock.unlock(); }
    }
  }

  // ---- read-write locks ------------------------------------------------------------------------------------------------------

  static final class WriteLock_norace extends Case.Pair {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    int x;
    void a() { lock.writeLock().lock(); x = 1; lock.writeLock().unlock(); }
    void b() { lock.writeLock().lock(); x = 2; lock.writeLock().unlock(); }
  }

  static final class ReadAndWriteLock_norace extends Case.Pair {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    int x;
    int seen;
    void a() { lock.readLock().lock(); seen = x; lock.readLock().unlock(); }
    void b() { lock.writeLock().lock(); x = 2; lock.writeLock().unlock(); }
  }

  @Case.Racy("x")
  static final class WriteAfterReadLock_race extends Case.Pair {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    int x;
    void a() { lock.readLock().lock(); lock.readLock().unlock(); x = 1; }
    void b() { lock.readLock().lock(); lock.readLock().unlock(); x = 2; }
  }

  static final class Downgrade_norace extends Case.Pair {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
    int x;
    int use() {
      lock.writeLock().lock();
      x++;
      lock.readLock().lock();
      lock.writeLock().unlock();
      try { return x; } finally { lock.readLock().unlock(); }
    }
    void a() { use(); }
    void b() { use(); }
  }

  @Case.Racy("x")
  static final class ReadLocksOfTwo_race extends Case.Pair {
    final ReentrantReadWriteLock one = new ReentrantReadWriteLock();
    final ReentrantReadWriteLock two = new ReentrantReadWriteLock();
    int x;
    void a() { one.writeLock().lock(); x = 1; one.writeLock().unlock(); }
    void b() { two.writeLock().lock(); x = 2; two.writeLock().unlock(); }
  }

  static final class Stamped_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    void a() { long s = lock.writeLock(); x = 1; lock.unlockWrite(s); }
    void b() { long s = lock.writeLock(); x = 2; lock.unlock(s); }
  }

  static final class StampedReadAndWrite_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    int seen;
    void a() { long s = lock.readLock(); seen = x; lock.unlockRead(s); }
    void b() { long s = lock.writeLock(); x = 2; lock.unlockWrite(s); }
  }

  @Case.Racy("x")
  static final class StampedAfter_race extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    void a() { lock.unlockWrite(lock.writeLock()); x = 1; }
    void b() { lock.unlockWrite(lock.writeLock()); x = 2; }
  }

  static final class StampedUpgrade_norace extends Case.Pair {
    final StampedLock lock = new StampedLock();
    int x;
    void add() {
      long s = lock.readLock();
      long w = lock.tryConvertToWriteLock(s);
      if (w == 0) throw new AssertionError();
      x++;
      lock.unlock(w);
    }
    void a() { add(); }
    void b() { add(); }
  }

  static final class StampedAsLock_norace extends Case.Pair {
    final java.util.concurrent.locks.Lock lock = new StampedLock().asWriteLock();
    int x;
    void a() { lock.lock(); x = 1; lock.unlock(); }
    void b() { lock.lock(); x = 2; lock.unlock(); }
  }

  // ---- a lock of one's own ---------------------------------------------------------------------------------------------------

  static final class OwnSynchronizer_norace extends Case.Pair {
    static final class Mutex extends AbstractQueuedSynchronizer {
      @Override protected boolean tryAcquire(int ignored) { return compareAndSetState(0, 1); }
      @Override protected boolean tryRelease(int ignored) { setState(0); return true; }
    }
    final Mutex mutex = new Mutex();
    int x;
    void a() { mutex.acquire(1); x = 1; mutex.release(1); }
    void b() { mutex.acquire(1); x = 2; mutex.release(1); }
  }

  @Case.Racy("x")
  static final class OwnSynchronizerAfter_race extends Case.Pair {
    static final class Mutex extends AbstractQueuedSynchronizer {
      @Override protected boolean tryAcquire(int ignored) { return compareAndSetState(0, 1); }
      @Override protected boolean tryRelease(int ignored) { setState(0); return true; }
    }
    final Mutex mutex = new Mutex();
    int x;
    void a() { mutex.acquire(1); mutex.release(1); x = 1; }
    void b() { mutex.acquire(1); mutex.release(1); x = 2; }
  }

  static final class ParkUnpark_norace extends Case.Handoff {
    volatile boolean ready;
    int x;
    void a() { x = 1; ready = true; LockSupport.unpark(threadB); }
    void b() { while (!ready) LockSupport.park(this); x = 2; }
  }

  static final class ParkOnly_norace extends Case.Handoff {
    int x;
    void a() { x = 1; LockSupport.unpark(threadB); }
    void b() { LockSupport.park(); x = 2; }
  }

  @Case.Racy("x")
  static final class ParkTooEarly_race extends Case.Handoff {
    int x;
    void a() { x = 1; LockSupport.unpark(threadB); }
    void b() { x = 2; LockSupport.park(); }
  }

  @Case.Racy("x")
  static final class ParkTimesOut_race extends Case.Pair {
    int x;
    void a() { x = 1; LockSupport.unpark(threadA); LockSupport.parkNanos(1); }
    void b() { LockSupport.parkNanos(1); x = 2; }
  }
}
