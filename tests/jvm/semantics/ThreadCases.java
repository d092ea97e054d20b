// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.concurrent.locks.LockSupport;

final class ThreadCases {
  static final class Start_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      x = 1;
      Thread t = new Thread(() -> x = 2);
      t.start();
      t.join();
    }
  }

  @Case.Racy("x")
  static final class AfterStart_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> { Order.enter(A); x = 1; Order.leave(A); });
      t.start();
      Order.enter(B);
      x = 2;
      Order.leave(B);
      t.join();
    }
  }

  static final class Join_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> x = 1);
      t.start();
      t.join();
      x = 2;
    }
  }

  static final class JoinTimed_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> x = 1);
      t.start();
      t.join(1_000_000);
      x = 2;
    }
  }

  static final class JoinNanos_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> x = 1);
      t.start();
      t.join(1_000_000, 1);
      x = 2;
    }
  }

  @Case.Racy("x")
  static final class JoinTimesOut_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> { Order.enter(A); x = 1; Order.leave(A); Order.await(0); });
      t.start();
      t.join(1);
      Order.enter(B);
      x = 2;
      Order.leave(B);
      Order.signal(0);
      t.join();
    }
  }

  static final class IsAlive_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> x = 1);
      t.start();
      while (t.isAlive()) Thread.yield();
      x = 2;
    }
  }

  @Case.Racy("x")
  static final class IsStillAlive_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> { Order.enter(A); x = 1; Order.leave(A); Order.await(0); });
      t.start();
      Order.enter(B);
      if (t.isAlive()) x = 2;
      Order.leave(B);
      Order.signal(0);
      t.join();
    }
  }

  /** Starting a thread tells it nothing of those that have ended: the JDK counts them under a lock, up to 18. */
  @Case.Racy("x")
  static final class StartedWhenTheOtherHasEnded_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread one = new Thread(() -> x = 1);
      Thread other = new Thread(() -> x = 2);
      Thread first = Order.first() == A ? one : other;
      Thread second = first == one ? other : one;
      first.start();
      while (!NativeCases.Jni.hasEnded(first)) Thread.yield();
      second.start();
      first.join();
      second.join();
    }
  }

  @Case.Racy("x")
  static final class MadeWhenTheOtherHasEnded_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread one = new Thread(() -> x = 1);
      one.start();
      while (!NativeCases.Jni.hasEnded(one)) Thread.yield();
      Thread other = new Thread(() -> { });
      other.start();
      other.join();
      x = 2;
    }
  }

  /** Who asks the group is told of those that have ended, whatever came between. */
  static final class GroupHasEnded_norace extends Case.Solo {
    private static final boolean IS_LOCKED = Runtime.version().feature() < 19;
    int x;
    int y;
    void run() throws Exception {
      ThreadGroup group = new ThreadGroup("group");
      Thread one = new Thread(group, () -> x = 1);
      Thread other = new Thread(group, () -> y = 1);
      one.start();
      while (!NativeCases.Jni.hasEnded(one)) Thread.yield();
      other.start();
      while (group.activeCount() > 0) Thread.yield();
      if (!IS_LOCKED) {
        one.join();
        other.join();
      }
      x = 2;
      y = 2;
    }
  }

  static final class JoinOfEnded_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> x = 1);
      t.start();
      while (t.getState() != Thread.State.TERMINATED) Thread.yield();
      t.join();
      x = 2;
    }
  }

  static final class StateTerminated_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> x = 1);
      t.start();
      while (t.getState() != Thread.State.TERMINATED) Thread.yield();
      x = 2;
    }
  }

  @Case.Racy("x")
  static final class StateNotTerminated_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> { Order.enter(A); x = 1; Order.leave(A); Order.await(0); });
      t.start();
      Order.enter(B);
      if (t.getState() != Thread.State.TERMINATED) x = 2;
      Order.leave(B);
      Order.signal(0);
      t.join();
    }
  }

  @Case.Racy("x")
  static final class StateOfAnotherThread_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> { Order.enter(A); x = 1; Order.leave(A); });
      Thread other = new Thread(() -> { });
      other.start();
      t.start();
      while (other.getState() != Thread.State.TERMINATED) Thread.yield();
      Order.enter(B);
      x = 2;
      Order.leave(B);
      t.join();
    }
  }

  static final class JoinByTwo_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> x = 1);
      t.start();
      int[] seen = new int[1];
      Thread other = new Thread(() -> {
        try {
          t.join();
          seen[0] = x;
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      });
      other.start();
      other.join();
      x = seen[0] + 1;
    }
  }

  @Case.Racy("x")
  static final class JoinOfAnotherThread_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> { Order.enter(A); x = 1; Order.leave(A); });
      Thread other = new Thread(() -> { });
      other.start();
      t.start();
      other.join();
      Order.enter(B);
      x = 2;
      Order.leave(B);
      t.join();
    }
  }

  static final class Grandchild_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      x = 1;
      Thread child = new Thread(() -> {
        Thread grandchild = new Thread(() -> x++);
        grandchild.start();
        try { grandchild.join(); } catch (InterruptedException e) { throw new AssertionError(e); }
      });
      child.start();
      child.join();
      x++;
    }
  }

  static final class Subclass_norace extends Case.Solo {
    static final class Worker extends Thread { int in; int out; @Override public void run() { out = in + 1; } }
    void run() throws Exception {
      Worker worker = new Worker();
      worker.in = 1;
      worker.start();
      worker.join();
      if (worker.out != 2) throw new AssertionError();
    }
  }

  @Case.Racy("in")
  static final class Subclass_race extends Case.Solo {
    static final class Worker extends Thread { int in; @Override public void run() { Order.enter(A); in++; Order.leave(A); } }
    void run() throws Exception {
      Worker worker = new Worker();
      worker.start();
      Order.enter(B);
      worker.in = 1;
      Order.leave(B);
      worker.join();
    }
  }

  @Case.Racy("x")
  static final class Daemon_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> { Order.enter(A); x = 1; Order.leave(A); });
      t.setDaemon(true);
      t.start();
      Order.enter(B);
      x = 2;
      Order.leave(B);
      t.join();
    }
  }

  static final class Daemon_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      x = 1;
      Thread t = new Thread(() -> x = 2);
      t.setDaemon(true);
      t.start();
      t.join();
      x = 3;
    }
  }

  static final class EndByException_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = new Thread(() -> { x = 1; throw new IllegalStateException(); });
      t.setUncaughtExceptionHandler((thread, thrown) -> x++);
      t.start();
      t.join();
      x++;
    }
  }

  static final class ManyThreads_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      for (int i = 0; i < 300; i++) {
        Thread t = new Thread(() -> x++);
        t.start();
        t.join();
      }
    }
  }

  /** The first thread is gone when the second accesses. */
  @Case.Racy("x")
  static final class EndedThread_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread a = new Thread(() -> { Order.await(0); Order.enter(A); x = 1; });
      Thread b = new Thread(() -> { Order.await(0); Order.enter(B); x = 2; });
      a.start();
      b.start();
      Order.signal(0);
      Thread first = Order.first() == A ? a : b;
      while (first.getState() != Thread.State.TERMINATED) Thread.yield();
      Order.leave(Order.first());
      a.join();
      b.join();
    }
  }

  // ---- things that order nothing ---------------------------------------------------------------------------------------------

  @Case.Racy("x")
  static final class Yield_race extends Case.Pair {
    int x;
    void a() { Thread.yield(); x = 1; Thread.yield(); }
    void b() { Thread.yield(); x = 2; Thread.yield(); }
  }

  @Case.Racy("x")
  static final class Sleep_race extends Case.Pair {
    int x;
    void a() throws Exception { Thread.sleep(1); x = 1; Thread.sleep(1); }
    void b() throws Exception { Thread.sleep(1); x = 2; Thread.sleep(1); }
  }

  @Case.Racy("x")
  static final class CurrentThread_race extends Case.Pair {
    int x;
    void a() { x = 1; Thread.currentThread().getName(); Thread.onSpinWait(); System.nanoTime(); }
    void b() { Thread.currentThread().getName(); Thread.onSpinWait(); System.nanoTime(); x = 2; }
  }

  // ---- interrupt -------------------------------------------------------------------------------------------------------------

  /** An exception of the program's own says nothing about who interrupted whom. */
  @Case.Racy("x")
  static final class OwnInterruptedException_race extends Case.Pair {
    int x;
    void a() { x = 1; threadB.interrupt(); }
    void b() { new InterruptedException("own"); x = 2; }
  }

  @Case.Racy("x")
  static final class OwnKindOfInterruptedException_race extends Case.Pair {
    static final class Own extends InterruptedException {}
    int x;
    void a() { x = 1; threadB.interrupt(); }
    void b() { new Own(); x = 2; }
  }

  static final class IsInterrupted_norace extends Case.Pair {
    int x;
    void a() { x = 1; threadB.interrupt(); }
    void b() { if (Thread.currentThread().isInterrupted()) x = 2; }
  }

  static final class Interrupted_norace extends Case.Pair {
    int x;
    void a() { x = 1; threadB.interrupt(); }
    void b() { if (Thread.interrupted()) x = 2; }
  }

  @Case.Racy("x")
  static final class AfterInterrupt_race extends Case.Pair {
    int x;
    void a() { threadB.interrupt(); x = 1; }
    void b() { Thread.interrupted(); x = 2; }
  }

  @Case.Racy("x")
  static final class InterruptOfAnother_race extends Case.Pair {
    int x;
    void a() { x = 1; threadA.interrupt(); }
    void b() { Thread.interrupted(); x = 2; }
  }

  static final class SleepInterrupted_norace extends Case.Handoff {
    int x;
    void a() { x = 1; threadB.interrupt(); }
    void b() {
      try {
        Thread.sleep(1_000_000);
      } catch (InterruptedException expected) { x = 2; }
    }
  }

  static final class ParkInterrupted_norace extends Case.Handoff {
    int x;
    void a() { x = 1; threadB.interrupt(); }
    void b() {
      while (!Thread.currentThread().isInterrupted()) LockSupport.park();
      x = 2;
    }
  }

  static final class JoinInterrupted_norace extends Case.Handoff {
    int x;
    void a() { x = 1; threadB.interrupt(); }
    void b() {
      try {
        Thread.currentThread().join();
      } catch (InterruptedException expected) { x = 2; }
    }
  }

  // ---- thread locals ---------------------------------------------------------------------------------------------------------

  static final class ThreadLocal_norace extends Case.Pair {
    final ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> new int[1]);
    void a() { local.get()[0]++; local.set(new int[2]); local.get()[1]++; local.remove(); }
    void b() { local.get()[0]++; local.set(new int[2]); local.get()[1]++; local.remove(); }
  }

  @Case.Racy("[]")
  static final class ThreadLocalOfShared_race extends Case.Pair {
    final int[] shared = new int[1];
    final ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> shared);
    void a() { local.get()[0] = 1; }
    void b() { local.get()[0] = 2; }
  }

  static final class InheritableThreadLocal_norace extends Case.Solo {
    final InheritableThreadLocal<int[]> local = new InheritableThreadLocal<>();
    void run() throws Exception {
      local.set(new int[] {1});
      Thread t = new Thread(() -> local.get()[0]++);
      t.start();
      t.join();
      local.get()[0]++;
    }
  }

  @Case.Racy("[]")
  static final class InheritableThreadLocal_race extends Case.Solo {
    final InheritableThreadLocal<int[]> local = new InheritableThreadLocal<>();
    void run() throws Exception {
      local.set(new int[] {1});
      Thread t = new Thread(() -> { int[] mine = local.get(); Order.enter(A); mine[0]++; Order.leave(A); });
      t.start();
      int[] mine = local.get();
      Order.enter(B);
      mine[0]++;
      Order.leave(B);
      t.join();
    }
  }
}
