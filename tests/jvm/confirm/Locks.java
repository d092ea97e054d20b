// SPDX-License-Identifier: Apache-2.0
package confirm;

import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Two threads with many locks, none of them common. */
public final class Locks {
  static int x;
  static final ReentrantLock mutex = new ReentrantLock();
  static final ReentrantReadWriteLock readers = new ReentrantReadWriteLock();
  static final ReentrantReadWriteLock writers = new ReentrantReadWriteLock();
  static final ReentrantReadWriteLock spare = new ReentrantReadWriteLock();
  static final StampedLock stampedReaders = new StampedLock();
  static final StampedLock stampedWriters = new StampedLock();
  static final StampedLock stampedSpare = new StampedLock();
  static final Object monitor = new Object();

  private Locks() {}

  public static void main(String[] arguments) throws Exception {
    Together both = new Together(arguments.length > 0 && arguments[0].equals("together") ? 2 : 0);
    for (ReentrantReadWriteLock lock : new ReentrantReadWriteLock[] {readers, writers, spare}) {
      lock.readLock().lock();  // the first use of a class orders threads
      lock.readLock().unlock();
      lock.writeLock().lock();
      lock.writeLock().unlock();
    }
    for (StampedLock lock : new StampedLock[] {stampedReaders, stampedWriters, stampedSpare}) {
      lock.unlockRead(lock.readLock());
      lock.unlockWrite(lock.writeLock());
    }
    Thread reader = new Thread(() -> {
      both.meet();
      mutex.lock();
      mutex.lock();
      mutex.unlock();  // still held
      spare.readLock().lock();
      spare.readLock().unlock();  // held no more
      stampedSpare.unlock(stampedSpare.tryConvertToReadLock(stampedSpare.writeLock()));
      stampedSpare.asWriteLock().lock();
      stampedSpare.asWriteLock().unlock();
      stampedReaders.tryConvertToReadLock(stampedReaders.tryWriteLock());  // the read side is held
      both.awaitPassed(1);
      if (readers.readLock().tryLock() && x == 2) throw new IllegalStateException("never written");
    }, "reader");
    Thread writer = new Thread(() -> {
      both.meet();
      synchronized (monitor) {
        writers.writeLock().lock();
        stampedWriters.asWriteLock().lock();
        x = 1;
        both.pass();
        writers.writeLock().unlock();
      }
    }, "writer");
    reader.start();
    writer.start();
    reader.join();
    writer.join();
  }
}
