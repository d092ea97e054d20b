// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * The JDK's own locks in the hands of a program. To a hybrid detector they are locks with modes and order nothing; conditions order as {@code notify}
 * does; what the JDK makes of them (queues, pools, barriers) orders as ever. The name of a field says whether it is suspected.
 */
public final class LockModes {
  static int orderHidden_race, orderHiddenByInterface_race, orderHiddenByReference_race, twoLocks_race, failedTryLock_race;
  static int writtenByReaders_race, readByReader_race, downgraded_race, givenUp_race;
  static int stampedOrder_race, stampedReaders_race, stampedGivenUp_race, notAwaited_race;
  static int mutex_norace, tried_norace, byReference_norace, readWrite_norace, downgraded_norace, refused_norace;
  static int stamped_norace, converted_norace, views_norace;
  static int ownSubclass_norace, ownSynchroniser_norace;
  static int interruptedLock_norace, interruptedAwait_norace;
  static int linkedQueue_norace, arrayQueue_norace, pool_norace, barrier_norace;

  static final ReentrantLock mutex = new ReentrantLock(), other = new ReentrantLock(true), third = new ReentrantLock();
  static final ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
  static final StampedLock stamped = new StampedLock();
  static final ReentrantLock own = new ReentrantLock() {};
  static final Mutex ownSynchroniser = new Mutex();
  static volatile boolean flag;

  private LockModes() {}

  /** A lock that the program has made itself. */
  static final class Mutex extends AbstractQueuedSynchronizer {
    @Override
    protected boolean tryAcquire(int ignored) {
      return compareAndSetState(0, 1);
    }

    @Override
    protected boolean tryRelease(int ignored) {
      setState(0);
      return true;
    }
  }

  interface Action {
    void run() throws Exception;
  }

  private static Runnable unchecked(Action action) {
    return () -> {
      try {
        action.run();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    };
  }

  /** One after the other; first both in this thread, because the first use of a class orders threads. */
  private static void pair(String order, Action a, Action b) throws Exception {
    a.run();
    b.run();
    InOrder.run(order, unchecked(a), unchecked(b));
  }

  private static void pass(Lock lock) {
    lock.lock();
    lock.unlock();
  }

  private static void with(Lock lock, Runnable body) {
    lock.lock();
    try {
      body.run();
    } finally {
      lock.unlock();
    }
  }

  public static void main(String[] arguments) throws Exception {
    String order = arguments[0];
    mutexes(order);
    readersAndWriters(order);
    stamps(order);
    conditions(order);
    interrupts();
    handOvers();
  }

  private static void mutexes(String order) throws Exception {
    Action hidden = () -> { mutex.lock(); mutex.unlock(); orderHidden_race++; mutex.lock(); mutex.unlock(); };
    pair(order, hidden, hidden);
    pair(order, () -> { pass(mutex); orderHiddenByInterface_race++; pass(mutex); }, () -> { pass(mutex); orderHiddenByInterface_race++; pass(mutex); });
    Runnable take = mutex::lock, give = mutex::unlock;
    Action byReference = () -> { take.run(); give.run(); orderHiddenByReference_race++; take.run(); give.run(); };
    pair(order, byReference, byReference);
    pair(order, () -> { pass(third); other.lock(); twoLocks_race++; other.unlock(); pass(third); }, () -> { pass(third); with(mutex, () -> twoLocks_race++); pass(third); });
    mutex.lock();
    Action fails = () -> { if (Thread.currentThread().getName().equals("main") || !mutex.tryLock() && !mutex.tryLock(1, TimeUnit.MICROSECONDS)) failedTryLock_race++; };
    pair(order, fails, fails);
    mutex.unlock();

    Action nested = () -> { mutex.lock(); with(mutex, () -> mutex_norace++); mutex_norace++; mutex.unlock(); };
    pair(order, nested, () -> with(mutex, () -> mutex_norace++));
    pair(order, () -> { if (mutex.tryLock()) { tried_norace++; mutex.unlock(); } }, () -> { if (mutex.tryLock(1, TimeUnit.DAYS)) { tried_norace++; mutex.unlock(); } });
    pair(order, () -> { take.run(); byReference_norace++; mutex.unlock(); }, () -> { mutex.lockInterruptibly(); byReference_norace++; give.run(); });
    Action subclass = () -> { own.lock(); own.unlock(); ownSubclass_norace++; pass(own); };
    pair(order, subclass, subclass);
    Action synchroniser = () -> { ownSynchroniser.acquire(1); ownSynchroniser.release(1); ownSynchroniser_norace++; ownSynchroniser.acquire(1); ownSynchroniser.release(1); };
    pair(order, synchroniser, synchroniser);
    Action refused = () -> { refuse(mutex); refuse(readWrite.readLock()); if (flag) refused_norace++; refused_norace++; flag = true; };
    refused.run();
    flag = false;
    InOrder.run("ab", unchecked(refused), unchecked(refused));
  }

  /** To give up what is not held is an error, as without deadheat, and changes nothing else. */
  private static void refuse(Lock lock) {
    try {
      lock.unlock();
    } catch (IllegalMonitorStateException e) {
      for (StackTraceElement frame : e.getStackTrace()) {
        if (frame.getClassName().contains("Deadheat")) throw new AssertionError("in the stack: " + frame);
      }
      return;
    }
    throw new AssertionError("not refused");
  }

  private static void readersAndWriters(String order) throws Exception {
    Lock reading = readWrite.readLock(), writing = readWrite.writeLock();
    pair(order, () -> with(reading, () -> writtenByReaders_race++), () -> with(reading, () -> writtenByReaders_race++));
    pair(order, () -> with(reading, () -> readByReader_race = 1), () -> with(reading, () -> use(readByReader_race)));
    Action downgrades = () -> { writing.lock(); reading.lock(); writing.unlock(); downgraded_race++; reading.unlock(); };
    pair(order, downgrades, downgrades);
    pair(order, () -> { reading.lock(); reading.lock(); reading.unlock(); reading.unlock(); givenUp_race++; pass(writing); }, () -> with(writing, () -> givenUp_race++));

    ReentrantReadWriteLock.ReadLock reader = readWrite.readLock();
    Runnable take = reader::lock;
    pair(order, () -> with(writing, () -> readWrite_norace++), () -> { reader.lock(); take.run(); reader.unlock(); use(readWrite_norace); reader.unlock(); });
    pair(order, () -> with(writing, () -> downgraded_norace++), () -> {
      writing.lock();
      downgraded_norace++;
      reading.lock();
      writing.unlock();
      use(downgraded_norace);
      reading.unlock();
    });
  }

  private static void use(int value) {
    if (value < 0) throw new AssertionError();
  }

  private static void stamps(String order) throws Exception {
    Action passes = () -> { stamped.unlockWrite(stamped.writeLock()); stampedOrder_race++; stamped.unlock(stamped.writeLock()); };
    pair(order, passes, passes);
    Action reads = () -> { long s = stamped.readLock(); stampedReaders_race++; stamped.unlockRead(s); };
    pair(order, reads, reads);
    pair(order, () -> {
      stamped.writeLock();
      stamped.tryUnlockWrite();
      stampedGivenUp_race++;
      pass(stamped.asWriteLock());
    }, () -> { long s = stamped.tryWriteLock(); stampedGivenUp_race++; stamped.unlockWrite(s); });

    pair(order, () -> { long s = stamped.writeLockInterruptibly(); stamped_norace++; stamped.unlock(s); }, () -> { long s = stamped.tryReadLock(); use(stamped_norace); stamped.unlock(s); });
    pair(order, () -> { long s = stamped.tryConvertToWriteLock(stamped.readLock()); converted_norace++; stamped.unlockRead(stamped.tryConvertToReadLock(s)); },
        () -> { long s = stamped.tryConvertToReadLock(stamped.writeLock()); use(converted_norace); stamped.unlock(s); });
    pair(order, () -> { long s = stamped.writeLock(); views_norace++; stamped.unlockWrite(s); with(stamped.asWriteLock(), () -> views_norace++); },
        () -> { with(stamped.asReadLock(), () -> use(views_norace)); with(stamped.asReadWriteLock().writeLock(), () -> views_norace++); });
  }

  private static void conditions(String order) throws Exception {
    Condition sent = mutex.newCondition();
    Action signals = () -> { mutex.lock(); mutex.unlock(); notAwaited_race++; mutex.lock(); sent.signal(); sent.signalAll(); mutex.unlock(); };
    pair(order, signals, signals);

    for (Lock lock : new Lock[] {mutex, other, readWrite.writeLock()}) {
      Condition condition = lock.newCondition();
      HandOver x = new HandOver();
      Thread receiver = new Thread(unchecked(() -> {
        lock.lock();
        while (!x.done_norace) condition.await();
        x.afterAwait_norace++;
        lock.unlock();
        if (x.signalled_norace++ != 1) throw new AssertionError();
      }));
      receiver.start();
      while (receiver.getState() != Thread.State.WAITING) Thread.yield();
      x.signalled_norace = 1;
      lock.lock();
      x.done_norace = true;
      condition.signal();
      x.afterAwait_norace++;
      lock.unlock();
      with(lock, () -> x.afterAwait_norace++);
      receiver.join();
    }
    Buffer buffer = new Buffer();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.add(new Thread(unchecked(() -> { for (int n = 0; n < 50; n++) buffer.put(n); })));
      threads.add(new Thread(unchecked(() -> { for (int n = 0; n < 50; n++) use(buffer.take()); })));
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }

  static final class HandOver {
    boolean done_norace;
    int signalled_norace, afterAwait_norace;
  }

  /** Everything of it is accessed with its lock. */
  static final class Buffer {
    private final Lock lock = new ReentrantLock();
    private final Condition notFull = lock.newCondition(), notEmpty = lock.newCondition();
    private final int[] items = new int[3];
    private int first, size;

    void put(int item) throws InterruptedException {
      lock.lock();
      try {
        while (size == items.length) notFull.await();
        items[(first + size++) % items.length] = item;
        notEmpty.signal();
      } finally {
        lock.unlock();
      }
    }

    int take() throws InterruptedException {
      lock.lock();
      try {
        while (size == 0) if (!notEmpty.await(1, TimeUnit.DAYS) || notEmpty.awaitNanos(0) > 0) throw new AssertionError();
        int item = items[first];
        first = (first + 1) % items.length;
        size--;
        notFull.signalAll();
        return item;
      } finally {
        lock.unlock();
      }
    }
  }

  private static void interrupts() throws Exception {
    mutex.lock();
    interruptedLock_norace = 0;
    interrupt(() -> mutex.lockInterruptibly(), () -> interruptedLock_norace++);
    mutex.unlock();
    Condition never = mutex.newCondition();
    interrupt(() -> { mutex.lock(); try { never.await(); } finally { mutex.unlock(); } }, () -> interruptedAwait_norace++);
  }

  /** {@code access} by this thread, and by one whose wait it then interrupts. */
  private static void interrupt(Action waits, Runnable access) throws Exception {
    Thread waiter = new Thread(() -> {
      try {
        waits.run();
        throw new AssertionError("not interrupted");
      } catch (Exception e) {
        if (!(e instanceof InterruptedException)) throw new AssertionError(e);
        access.run();
      }
    });
    waiter.start();
    while (waiter.getState() != Thread.State.WAITING) Thread.yield();
    access.run();
    waiter.interrupt();
    waiter.join();
  }

  private static void handOvers() throws Exception {
    BlockingQueue<Object> linked = new LinkedBlockingQueue<>(), array = new ArrayBlockingQueue<>(1);
    InOrder.run("ab", unchecked(() -> { linkedQueue_norace++; linked.put(""); arrayQueue_norace++; array.put(""); }),
        unchecked(() -> { linked.take(); linkedQueue_norace++; array.take(); arrayQueue_norace++; }));
    ExecutorService pool = Executors.newFixedThreadPool(2);
    for (int i = 0; i < 3; i++) {
      pool_norace++;
      pool.submit(() -> pool_norace++).get();
    }
    pool.shutdown();
    if (!pool.awaitTermination(1, TimeUnit.DAYS)) throw new AssertionError();
    CyclicBarrier barrier = new CyclicBarrier(2);
    Thread one = new Thread(unchecked(() -> { barrier_norace++; barrier.await(); }));
    Thread two = new Thread(unchecked(() -> { barrier.await(); barrier_norace++; }));
    one.start();
    two.start();
    one.join();
    two.join();
  }
}
