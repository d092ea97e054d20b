// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Virtual threads: they are threads, whichever carrier runs them. */
final class VirtualThreadCases {
  static final class StartJoin_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      x = 1;
      Thread t = Thread.ofVirtual().start(() -> x++);
      t.join();
      x++;
    }
  }

  @Case.Racy("x")
  static final class AfterStart_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = Thread.ofVirtual().start(() -> { Order.enter(A); x = 1; Order.leave(A); });
      Order.enter(B);
      x = 2;
      Order.leave(B);
      t.join();
    }
  }

  @Case.Racy("x")
  static final class TwoVirtual_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread a = Thread.ofVirtual().start(() -> { Order.enter(A); x = 1; Order.leave(A); });
      Thread b = Thread.ofVirtual().start(() -> { Order.enter(B); x = 2; Order.leave(B); });
      a.join();
      b.join();
    }
  }

  static final class IsAlive_norace extends Case.Solo {
    int x;
    void run() {
      Thread t = Thread.ofVirtual().start(() -> x = 1);
      while (t.isAlive()) Thread.yield();
      x = 2;
    }
  }

  static final class StateTerminated_norace extends Case.Solo {
    int x;
    void run() {
      Thread t = Thread.ofVirtual().start(() -> x = 1);
      while (t.getState() != Thread.State.TERMINATED) Thread.yield();
      x = 2;
    }
  }

  @Case.Racy("x")
  static final class StateNotTerminated_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = Thread.ofVirtual().start(() -> { Order.enter(A); x = 1; Order.leave(A); Order.await(0); });
      Order.enter(B);
      if (t.getState() != Thread.State.TERMINATED) x = 2;
      Order.leave(B);
      Order.signal(0);
      t.join();
    }
  }

  /** Of threads that have ended already: somebody else has seen it, and tells nobody in order. */
  static final class JoinDurationOfEnded_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = Thread.ofVirtual().start(() -> x = 1);
      awaitEndUnseen(t);
      if (t.join(Duration.ZERO)) x = 2;
    }
  }

  static final class PlatformJoinDurationOfEnded_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = Thread.ofPlatform().start(() -> x = 1);
      awaitEndUnseen(t);
      if (t.join(Duration.ZERO)) x = 2;
    }
  }

  @Case.Racy("x")
  static final class JoinDurationTimesOut_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = Thread.ofVirtual().start(() -> { Order.enter(A); x = 1; Order.leave(A); Order.await(0); });
      Order.enter(B);
      if (!t.join(Duration.ZERO)) x = 2;
      Order.leave(B);
      Order.signal(0);
      t.join();
    }
  }

  /** Returns when {@code t} has ended, without the caller being after its end. */
  private static void awaitEndUnseen(Thread t) {
    Thread.ofPlatform().start(() -> {
      while (t.getState() != Thread.State.TERMINATED) Thread.yield();
      Order.signal(0);
    });
    Order.await(0);
  }

  static final class Synchronized_norace extends Case.Solo {
    int x;
    void add() { synchronized (this) { x++; } }
    void run() throws Exception {
      Thread a = Thread.ofVirtual().start(() -> { Order.enter(A); add(); Order.leave(A); });
      Thread b = Thread.ofVirtual().start(() -> { Order.enter(B); add(); Order.leave(B); });
      a.join();
      b.join();
    }
  }

  static final class ReentrantLock_norace extends Case.Solo {
    final ReentrantLock lock = new ReentrantLock();
    int x;
    void add() { lock.lock(); try { x++; Thread.yield(); x++; } finally { lock.unlock(); } }
    void run() throws Exception {
      Thread[] all = new Thread[8];
      for (int i = 0; i < all.length; i++) all[i] = Thread.ofVirtual().start(this::add);
      for (Thread t : all) t.join();
      x++;
    }
  }

  static final class WaitNotify_norace extends Case.Solo {
    boolean ready;
    int x;
    void run() throws Exception {
      Thread t = Thread.ofVirtual().start(() -> {
        synchronized (this) {
          try { while (!ready) wait(); } catch (InterruptedException e) { throw new AssertionError(e); }
        }
        x++;
      });
      x = 1;
      synchronized (this) { ready = true; notifyAll(); }
      t.join();
    }
  }

  static final class Volatile_norace extends Case.Solo {
    volatile boolean flag;
    int x;
    void run() throws Exception {
      Thread t = Thread.ofVirtual().start(() -> { while (!flag) Thread.yield(); x++; });
      x = 1;
      flag = true;
      t.join();
    }
  }

  /** Many more than there are carriers, all blocked at once, in one queue. */
  static final class ManyOnQueue_norace extends Case.Solo {
    void run() throws Exception {
      LinkedBlockingQueue<int[]> in = new LinkedBlockingQueue<>();
      LinkedBlockingQueue<int[]> out = new LinkedBlockingQueue<>();
      for (int i = 0; i < 200; i++) {
        Thread.ofVirtual().start(() -> {
          try { int[] box = in.take(); box[0]++; out.put(box); } catch (InterruptedException e) { throw new AssertionError(e); }
        });
      }
      for (int i = 0; i < 200; i++) in.put(new int[] {i});
      for (int i = 0; i < 200; i++) out.take()[0]++;
    }
  }

  static final class ParkUnpark_norace extends Case.Solo {
    volatile boolean ready;
    int x;
    void run() throws Exception {
      Thread t = Thread.ofVirtual().start(() -> { while (!ready) LockSupport.park(); x++; });
      x = 1;
      ready = true;
      LockSupport.unpark(t);
      t.join();
      x++;
    }
  }

  /** Nothing but the permit orders. */
  static final class ParkOnly_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = Thread.ofVirtual().start(() -> { LockSupport.park(); x++; });
      x = 1;
      LockSupport.unpark(t);
      t.join();
    }
  }

  static final class ParkNanosOnly_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = Thread.ofVirtual().start(() -> { Order.await(0); LockSupport.parkNanos(1_000_000_000_000L); x++; });
      x = 1;
      LockSupport.unpark(t);
      Order.signal(0);
      t.join();
    }
  }

  @Case.Racy("x")
  static final class AfterUnpark_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = Thread.ofVirtual().start(() -> { LockSupport.park(); Order.enter(A); x = 1; Order.leave(A); });
      LockSupport.unpark(t);
      Order.enter(B);
      x = 2;
      Order.leave(B);
      t.join();
    }
  }

  @Case.Racy("x")
  static final class UnparkOfAnother_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread other = Thread.ofVirtual().start(LockSupport::park);
      Thread t = Thread.ofVirtual().start(() -> { Order.enter(A); LockSupport.parkNanos(1); x = 1; Order.leave(A); });
      Order.enter(B);
      x = 2;
      LockSupport.unpark(other);
      Order.leave(B);
      t.join();
      other.join();
    }
  }

  static final class Executor_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      x = 1;
      try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
        pool.submit(() -> x++).get();
        x++;
        pool.submit(() -> { x++; });
      }
      x++;
    }
  }

  @Case.Racy("x")
  static final class ExecutorTasks_race extends Case.Solo {
    int x;
    void run() {
      try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
        pool.submit(() -> { Order.enter(A); x++; Order.leave(A); });
        pool.submit(() -> { Order.enter(B); x++; Order.leave(B); });
      }
    }
  }

  static final class Sleep_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread t = Thread.ofVirtual().start(() -> { x++; try { Thread.sleep(1); } catch (InterruptedException e) { throw new AssertionError(e); } x++; });
      t.join();
      x++;
    }
  }

  static final class Interrupt_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      CountDownLatch started = new CountDownLatch(1);
      Thread t = Thread.ofVirtual().start(() -> {
        started.countDown();
        try { Thread.sleep(1_000_000); } catch (InterruptedException expected) { x++; }
      });
      started.await();
      x = 1;
      t.interrupt();
      t.join();
    }
  }

  static final class ThreadLocal_norace extends Case.Solo {
    final ThreadLocal<int[]> local = ThreadLocal.withInitial(() -> new int[1]);
    void run() throws Exception {
      Thread[] all = new Thread[8];
      for (int i = 0; i < all.length; i++) all[i] = Thread.ofVirtual().start(() -> { local.get()[0]++; Thread.yield(); local.get()[0]++; });
      for (Thread t : all) t.join();
    }
  }

  /**
   * Two virtual threads one after the other on one carrier are not ordered by it. They do not wait for each other: a thread that yields
   * on a scheduler of one carrier can keep one that was never run waiting for ever (JDK 25).
   */
  @Case.Alone({"-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1"})
  @Case.Racy("x")
  static final class SameCarrier_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread a = Thread.ofVirtual().unstarted(() -> x = 1);
      Thread b = Thread.ofVirtual().unstarted(() -> x = 2);
      Thread first = Order.first() == A ? a : b;
      Thread second = first == a ? b : a;
      first.start();
      second.start();
      first.join();
      second.join();
    }
  }

  /** The same where the second is started when the first has ended, by somebody who has met its carrier since: at the start of a third. */
  @Case.Alone({"-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1"})
  @Case.Racy("x")
  static final class StartedAfterEnd_race extends Case.Solo {
    int x;
    void run() throws Exception {
      Thread a = Thread.ofVirtual().unstarted(() -> x = 1);
      Thread b = Thread.ofVirtual().unstarted(() -> x = 2);
      Thread first = Order.first() == A ? a : b;
      Thread second = first == a ? b : a;
      first.start();
      awaitEndUnseen(first);
      Thread.ofVirtual().start(() -> { });
      second.start();
      first.join();
      second.join();
    }
  }

  @Case.Racy("[]")
  static final class Array_race extends Case.Solo {
    final int[] array = new int[2];
    void run() throws Exception {
      Thread t = Thread.ofVirtual().start(() -> { Order.enter(A); array[1] = 1; Order.leave(A); });
      Order.enter(B);
      array[1] = 2;
      Order.leave(B);
      t.join();
    }
  }

  @Case.Racy("x")
  static final class Unlocked_race extends Case.Solo {
    final ReentrantLock lock = new ReentrantLock();
    int x;
    void run() throws Exception {
      Thread a = Thread.ofVirtual().start(() -> { Order.enter(A); lock.lock(); lock.unlock(); x = 1; Order.leave(A); });
      Thread b = Thread.ofVirtual().start(() -> { Order.enter(B); lock.lock(); lock.unlock(); x = 2; Order.leave(B); });
      a.join();
      b.join();
    }
  }
}
