// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

final class SynchroniserCases {
  static final class Latch_norace extends Case.Handoff {
    final CountDownLatch latch = new CountDownLatch(1);
    int x;
    void a() { x = 1; latch.countDown(); }
    void b() throws Exception { latch.await(); x = 2; }
  }

  static final class LatchTimed_norace extends Case.Handoff {
    final CountDownLatch latch = new CountDownLatch(1);
    int x;
    void a() { x = 1; latch.countDown(); }
    void b() throws Exception { if (latch.await(1, TimeUnit.HOURS)) x = 2; }
  }

  @Case.Racy("x")
  static final class LatchTooEarly_race extends Case.Handoff {
    final CountDownLatch latch = new CountDownLatch(1);
    int x;
    void a() { x = 1; latch.countDown(); }
    void b() throws Exception { x = 2; latch.await(); }
  }

  @Case.Racy("x")
  static final class LatchBothCountDown_race extends Case.Pair {
    final CountDownLatch latch = new CountDownLatch(3);
    int x;
    void a() { latch.countDown(); x = 1; }
    void b() { latch.countDown(); x = 2; }
  }

  @Case.Cold
  static final class Barrier_norace extends Case.Handoff {
    final CyclicBarrier barrier = new CyclicBarrier(2);
    int x;
    int y;
    int sum;
    void a() throws Exception { x = 1; barrier.await(); sum = y; }
    void b() throws Exception { y = 1; barrier.await(); if (x != 1) throw new AssertionError(); }
  }

  @Case.Cold
  static final class BarrierAction_norace extends Case.Handoff {
    int x;
    int y;
    final CyclicBarrier barrier = new CyclicBarrier(2, new Runnable() { @Override public void run() { x++; y++; } });
    int seenByA;
    int seenByB;
    void a() throws Exception { x = 1; barrier.await(); seenByA = x + y; }
    void b() throws Exception { y = 1; barrier.await(); seenByB = x + y; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class BarrierTooEarly_race extends Case.Handoff {
    final CyclicBarrier barrier = new CyclicBarrier(2);
    int x;
    void a() throws Exception { x = 1; barrier.await(); }
    void b() throws Exception { x = 2; barrier.await(); }
  }

  @Case.Cold
  static final class Phaser_norace extends Case.Handoff {
    final Phaser phaser = new Phaser(2);
    int x;
    int y;
    int sum;
    void a() { x = 1; phaser.arriveAndAwaitAdvance(); sum = y; }
    void b() { y = 1; phaser.arriveAndAwaitAdvance(); if (x != 1) throw new AssertionError(); }
  }

  static final class PhaserArrive_norace extends Case.Handoff {
    final Phaser phaser = new Phaser(1);
    int x;
    void a() { x = 1; phaser.arrive(); }
    void b() { phaser.awaitAdvance(0); x = 2; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class PhaserTooEarly_race extends Case.Handoff {
    final Phaser phaser = new Phaser(2);
    int x;
    void a() { x = 1; phaser.arriveAndAwaitAdvance(); }
    void b() { x = 2; phaser.arriveAndAwaitAdvance(); }
  }

  static final class Semaphore_norace extends Case.Pair {
    final Semaphore semaphore = new Semaphore(1);
    int x;
    void a() throws Exception { semaphore.acquire(); x = 1; semaphore.release(); }
    void b() throws Exception { semaphore.acquire(); x = 2; semaphore.release(); }
  }

  static final class SemaphoreHandsOver_norace extends Case.Handoff {
    final Semaphore semaphore = new Semaphore(0, true);
    int x;
    void a() { x = 1; semaphore.release(); }
    void b() { semaphore.acquireUninterruptibly(); x = 2; }
  }

  static final class SemaphoreTry_norace extends Case.Pair {
    final Semaphore semaphore = new Semaphore(0);
    int x;
    void a() { x = 1; semaphore.release(2); }
    void b() { if (semaphore.tryAcquire(2)) x = 2; }
  }

  @Case.Racy("x")
  static final class SemaphoreAfter_race extends Case.Pair {
    final Semaphore semaphore = new Semaphore(1);
    int x;
    void a() throws Exception { semaphore.acquire(); semaphore.release(); x = 1; }
    void b() throws Exception { semaphore.acquire(); semaphore.release(); x = 2; }
  }

  @Case.Cold
  static final class Exchanger_norace extends Case.Handoff {
    static final class Box { int v; }
    final Exchanger<Box> exchanger = new Exchanger<>();
    int inA;
    int inB;
    void a() throws Exception { Box mine = new Box(); mine.v = 1; inA = exchanger.exchange(mine).v; }
    void b() throws Exception { Box mine = new Box(); mine.v = 2; inB = exchanger.exchange(mine).v; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class ExchangerTooEarly_race extends Case.Handoff {
    final Exchanger<String> exchanger = new Exchanger<>();
    int x;
    void a() throws Exception { x = 1; exchanger.exchange("a"); }
    void b() throws Exception { x = 2; exchanger.exchange("b"); }
  }

  static final class FutureTask_norace extends Case.Handoff {
    int x;
    final FutureTask<Integer> task = new FutureTask<>(new java.util.concurrent.Callable<Integer>() { @Override public Integer call() { return ++x; } });
    int y;
    void a() { x = 1; y = 1; task.run(); }
    void b() throws Exception { x = task.get() + 1; y = 2; }
  }

  @Case.Racy("x")
  static final class FutureTaskNotAsked_race extends Case.Pair {
    int x;
    final FutureTask<Integer> task = new FutureTask<>(new java.util.concurrent.Callable<Integer>() { @Override public Integer call() { return x = 1; } });
    void a() { task.run(); }
    void b() { x = 2; }
  }

  static final class FutureTaskIsDone_norace extends Case.Pair {
    int x;
    final FutureTask<Integer> task = new FutureTask<>(new java.util.concurrent.Callable<Integer>() { @Override public Integer call() { return x = 1; } });
    void a() { task.run(); }
    void b() { if (task.isDone()) x = 2; }
  }
}
