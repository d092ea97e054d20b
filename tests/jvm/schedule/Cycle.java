// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Four threads in a circle that no schedule leads out of: a monitor, a lock, a write lock, and the end of a thread. Three more only wait. */
public class Cycle {
  static final Object A = new Object(), B = new Object(), NOBODY = new Object();
  static final ReentrantLock LOCK = new ReentrantLock();
  static final ReentrantReadWriteLock BOTH = new ReentrantReadWriteLock();
  static final CountDownLatch READY = new CountDownLatch(4);

  public static void main(String[] args) throws Exception {
    Thread first = new Thread(() -> {
      synchronized (A) {
        ready();
        synchronized (B) {
          System.out.println("never");
        }
      }
    }, "first");
    Thread second = new Thread(() -> {
      synchronized (B) {
        ready();
        LOCK.lock();
      }
    }, "second");
    Thread third = new Thread(() -> {
      LOCK.lock();
      ready();
      BOTH.writeLock().lock();
    }, "third");
    Thread fourth = new Thread(() -> {
      BOTH.writeLock().lock();
      ready();
      try {
        first.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }, "fourth");
    Thread waiting = new Thread(() -> {
      synchronized (NOBODY) {
        try {
          NOBODY.wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }, "waiting");
    Thread parked = new Thread(LockSupport::park, "parked");
    for (Thread thread : new Thread[] {first, second, third, fourth, waiting, parked}) thread.start();
    first.join();
  }

  static void ready() {
    READY.countDown();
    try {
      READY.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
