// SPDX-License-Identifier: Apache-2.0
package confirm;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What the locks of java.util.concurrent guard, and what only the order of their sections hides. With the argument {@code in-order} the threads
 * take turns (see {@link Together}).
 */
public final class JdkLocks {
  static int orderHidden_race, underReadLock_race, twoLocks_race, mutex_norace, readWrite_norace;
  static final Lock mutex = new ReentrantLock(), other = new ReentrantLock(), third = new ReentrantLock();
  static final ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();

  private JdkLocks() {}

  private static void with(Lock lock, Runnable body) {
    lock.lock();
    try {
      body.run();
    } finally {
      lock.unlock();
    }
  }

  private static void one() {
    orderHidden_race = 1;
    with(mutex, () -> mutex_norace++);
    with(readWrite.readLock(), () -> underReadLock_race++);
    with(readWrite.writeLock(), () -> readWrite_norace++);
    with(other, () -> twoLocks_race = 1);
    with(mutex, () -> mutex_norace++);
  }

  private static void two() {
    with(mutex, () -> mutex_norace++);
    with(readWrite.writeLock(), () -> readWrite_norace++);
    with(readWrite.readLock(), () -> underReadLock_race += readWrite_norace);
    with(third, () -> twoLocks_race = 2);
    orderHidden_race = 2;
  }

  public static void main(String[] arguments) throws InterruptedException {
    Together both = new Together(arguments.length > 0 && arguments[0].equals("in-order") ? 2 : 0);
    one();
    two();  // the first use of a class orders threads
    Thread first = new Thread(() -> {
      both.meet();
      one();
      both.pass();
    });
    Thread second = new Thread(() -> {
      both.meet();
      both.awaitPassed(1);
      two();
    });
    first.start();
    second.start();
    first.join();
    second.join();
  }
}
