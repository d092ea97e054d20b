// SPDX-License-Identifier: Apache-2.0
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Sections of a lock of java.util.concurrent that have nothing to do with each other stand between two accesses of {@code shared}: in this order
 * of the sections they are ordered, in the other one they race. With {@code flag} the second section looks whether the first has been, and
 * nothing races.
 */
public final class LockSections {
  int shared;
  int first;
  int second;
  boolean flag;

  void before(Lock lock) {
    shared = 1; // 1
    lock.lock();
    try {
      first++;
      flag = true;
    } finally {
      lock.unlock();
    }
  }

  void behind(Lock lock) {
    lock.lock();
    try {
      second++;
    } finally {
      lock.unlock();
    }
    shared = 2; // 2
  }

  void behindFlag(Lock lock) {
    boolean go;
    lock.lock();
    try {
      go = flag;
    } finally {
      lock.unlock();
    }
    if (go) shared = 2;
  }

  public static void main(String[] arguments) throws InterruptedException {
    LockSections sections = new LockSections();
    ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
    Lock lock = switch (arguments[0]) {
      case "lock" -> new ReentrantLock();
      case "fair" -> new ReentrantLock(true);
      case "write" -> readWrite.writeLock();
      default -> new StampedLock().asWriteLock();
    };
    boolean looks = arguments[1].equals("flag");
    Thread one = new Thread(() -> sections.before(lock));
    Thread other = new Thread(() -> {
      if (looks) sections.behindFlag(lock); else sections.behind(lock);
    });
    one.start();
    other.start();
    one.join();
    other.join();
  }
}
