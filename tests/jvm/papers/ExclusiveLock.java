// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.concurrent.locks.ReentrantLock;

/** A lock of java.util.concurrent is a lock to every detector; what is left outside is not. */
public final class ExclusiveLock {
  static int guarded, bare;
  static final ReentrantLock LOCK = new ReentrantLock();

  private ExclusiveLock() {}

  public static void main(String[] arguments) throws Exception {
    Runnable body = () -> {
      LOCK.lock();
      try {
        LOCK.lock();
        guarded++;
        LOCK.unlock();
        guarded++;
      } finally {
        LOCK.unlock();
      }
    };
    InOrder.run(arguments[0], () -> { bare++; body.run(); }, () -> { body.run(); bare++; });
  }
}
