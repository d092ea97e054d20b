// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.reflect.Method;

/** What StructuredTaskScope stands on, by reflection: the scope itself is a preview and differs from JDK to JDK. */
final class ThreadFlockCases {
  private static final String EXPORT = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";

  /** A flock of threads that the current thread owns. */
  private static final class Flock {
    private final Class<?> type;
    private final Object flock;

    Flock() throws Exception {
      type = Class.forName("jdk.internal.misc.ThreadFlock");
      flock = type.getMethod("open", String.class).invoke(null, "flock");
    }

    void start(Thread thread) throws Exception { type.getMethod("start", Thread.class).invoke(flock, thread); }
    void awaitAll() throws Exception { call("awaitAll"); }
    void close() throws Exception { call("close"); }

    private void call(String name) throws Exception {
      Method method = type.getMethod(name);
      method.invoke(flock);
    }
  }

  @Case.Alone(EXPORT)
  static final class AwaitAll_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Flock flock = new Flock();
      flock.start(Thread.ofVirtual().unstarted(() -> x = 1));
      flock.awaitAll();
      x = 2;
      flock.close();
    }
  }

  @Case.Alone(EXPORT)
  static final class AwaitMany_norace extends Case.Solo {
    final int[] x = new int[8];
    void run() throws Exception {
      Flock flock = new Flock();
      for (int i = 0; i < x.length; i++) {
        int mine = i;
        flock.start(Thread.ofVirtual().unstarted(() -> x[mine] = 1));
      }
      flock.close();
      for (int i = 0; i < x.length; i++) x[i]++;
    }
  }

  @Case.Alone(EXPORT)
  static final class PlatformThread_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Flock flock = new Flock();
      flock.start(Thread.ofPlatform().unstarted(() -> x = 1));
      flock.awaitAll();
      x = 2;
      flock.close();
    }
  }

  @Case.Alone(EXPORT)
  @Case.Racy("x")
  static final class BeforeAwait_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Flock flock = new Flock();
      flock.start(Thread.ofVirtual().unstarted(() -> { Order.enter(A); x = 1; Order.leave(A); }));
      Order.enter(B);
      x = 2;
      Order.leave(B);
      flock.awaitAll();
      flock.close();
    }
  }

  @Case.Alone(EXPORT)
  @Case.Racy("x")
  static final class TwoOfAFlock_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Flock flock = new Flock();
      flock.start(Thread.ofVirtual().unstarted(() -> { Order.enter(A); x = 1; Order.leave(A); }));
      flock.start(Thread.ofVirtual().unstarted(() -> { Order.enter(B); x = 2; Order.leave(B); }));
      flock.close();
    }
  }
}
