// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Every access under its lock of java.util.concurrent, and still wrong: reading and writing back are two sections. No data race. */
public final class LockedUpdates {
  private final Lock reading;
  private final Lock writing;
  private int count;

  LockedUpdates(Lock reading, Lock writing) {
    this.reading = reading;
    this.writing = writing;
  }

  int get() {
    reading.lock();
    try {
      return count;
    } finally {
      reading.unlock();
    }
  }

  void set(int value) {
    writing.lock();
    try {
      count = value;
    } finally {
      writing.unlock();
    }
  }

  void increment() {
    set(get() + 1);
  }

  void incrementAtOnce() {
    writing.lock();
    try {
      increment();
    } finally {
      writing.unlock();
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
    Lock lock = new ReentrantLock();
    StampedLock stamped = new StampedLock();
    LockedUpdates counter = switch (arguments[0]) {
      case "lock" -> new LockedUpdates(lock, lock);
      case "read-write" -> new LockedUpdates(readWrite.readLock(), readWrite.writeLock());
      default -> new LockedUpdates(stamped.asReadLock(), stamped.asWriteLock());
    };
    Runnable update = arguments[1].equals("once") ? counter::incrementAtOnce : counter::increment;
    Thread first = new Thread(update);
    Thread second = new Thread(update);
    first.start();
    second.start();
    first.join();
    second.join();
    if (counter.get() != 2) throw new IllegalStateException("an update was lost");
  }
}
