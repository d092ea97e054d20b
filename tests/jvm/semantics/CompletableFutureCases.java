// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

final class CompletableFutureCases {
  static final class CompleteAndGet_norace extends Case.Handoff {
    final CompletableFuture<String> future = new CompletableFuture<>();
    int x;
    void a() { x = 1; future.complete("a"); }
    void b() throws Exception { future.get(); x = 2; }
  }

  static final class CompleteAndJoin_norace extends Case.Handoff {
    final CompletableFuture<int[]> future = new CompletableFuture<>();
    int sum;
    void a() { int[] box = {0}; box[0] = 1; future.complete(box); }
    void b() { sum = ++future.join()[0]; }
  }

  @Case.Racy("x")
  static final class TooEarly_race extends Case.Handoff {
    final CompletableFuture<String> future = new CompletableFuture<>();
    int x;
    void a() { x = 1; future.complete("a"); }
    void b() { x = 2; future.join(); }
  }

  @Case.Racy("x")
  static final class AfterComplete_race extends Case.Pair {
    final CompletableFuture<String> future = new CompletableFuture<>();
    int x;
    void a() { future.complete("a"); x = 1; }
    void b() { future.getNow(null); x = 2; }
  }

  static final class GetNow_norace extends Case.Pair {
    final CompletableFuture<String> future = new CompletableFuture<>();
    int x;
    void a() { x = 1; future.complete("a"); }
    void b() { if (future.getNow(null) != null) x = 2; }
  }

  static final class IsDone_norace extends Case.Pair {
    final CompletableFuture<String> future = new CompletableFuture<>();
    int x;
    void a() { x = 1; future.complete("a"); }
    void b() { if (future.isDone()) x = 2; }
  }

  static final class GetTimed_norace extends Case.Handoff {
    final CompletableFuture<String> future = new CompletableFuture<>();
    int x;
    void a() { x = 1; future.complete("a"); }
    void b() throws Exception { future.get(1, TimeUnit.HOURS); x = 2; }
  }

  static final class Exceptionally_norace extends Case.Handoff {
    final CompletableFuture<String> future = new CompletableFuture<>();
    int x;
    void a() { x = 1; future.completeExceptionally(new IllegalStateException()); }
    void b() { try { future.join(); } catch (CompletionException expected) { x = 2; } }
  }

  /** The callback runs in the completing thread or, if that was earlier, in this one. */
  static final class ThenApply_norace extends Case.Pair {
    final CompletableFuture<String> future = new CompletableFuture<>();
    int x;
    void a() { x = 1; future.complete("a"); }
    void b() { future.thenApply(s -> x++); }
  }

  static final class CallbackSeesRegistrar_norace extends Case.Pair {
    final CompletableFuture<String> future = new CompletableFuture<>();
    int x;
    void a() { future.complete("a"); }
    void b() { x = 1; future.thenAccept(s -> x++); }
  }

  /** Two callbacks of one future may run in two threads. */
  @Case.Racy("x")
  static final class AfterThenAccept_race extends Case.Pair {
    final CompletableFuture<String> future = new CompletableFuture<>();
    int x;
    void a() { future.complete("a"); x = 1; }
    void b() { future.thenAccept(s -> { }); x = 2; }
  }

  static final class SupplyAsync_norace extends Case.Solo {
    int x;
    void run() {
      x = 1;
      x = CompletableFuture.supplyAsync(() -> ++x).thenApply(v -> x += v).join();
    }
  }

  @Case.Racy("x")
  static final class SupplyAsyncNotJoined_race extends Case.Solo {
    int x;
    void run() {
      CompletableFuture<Void> done = CompletableFuture.runAsync(() -> { Order.enter(A); x = 1; Order.leave(A); });
      Order.enter(B);
      x = 2;
      Order.leave(B);
      done.join();
    }
  }

  static final class ChainAsync_norace extends Case.Solo {
    int x;
    void run() {
      x = 1;
      CompletableFuture.supplyAsync(() -> x++).thenApplyAsync(v -> x++).thenComposeAsync(v -> CompletableFuture.supplyAsync(() -> x++))
          .whenCompleteAsync((v, e) -> x++).handleAsync((v, e) -> x++).thenRunAsync(() -> x++).join();
      x++;
    }
  }

  static final class Combine_norace extends Case.Solo {
    int x;
    int y;
    void run() {
      CompletableFuture<Integer> left = CompletableFuture.supplyAsync(() -> ++x);
      CompletableFuture<Integer> right = CompletableFuture.supplyAsync(() -> ++y);
      left.thenCombine(right, (l, r) -> x += y).join();
      x += y;
    }
  }

  static final class AllOf_norace extends Case.Solo {
    final int[] cells = new int[4];
    void run() {
      CompletableFuture<?>[] all = new CompletableFuture<?>[4];
      for (int i = 0; i < 4; i++) { int n = i; all[i] = CompletableFuture.runAsync(() -> cells[n]++); }
      CompletableFuture.allOf(all).join();
      for (int i = 0; i < 4; i++) cells[i]++;
    }
  }

  @Case.Racy("x")
  static final class AnyOf_race extends Case.Solo {
    int x;
    void run() {
      CompletableFuture<Void> late = CompletableFuture.runAsync(() -> { Order.enter(A); x = 1; Order.leave(A); });
      CompletableFuture.anyOf(CompletableFuture.completedFuture(1), late).join();
      Order.enter(B);
      x = 2;
      Order.leave(B);
      late.join();
    }
  }

  @Case.Racy("x")
  static final class TwoAsync_race extends Case.Solo {
    int x;
    void run() {
      CompletableFuture<Void> a = CompletableFuture.runAsync(() -> { Order.enter(A); x++; Order.leave(A); });
      CompletableFuture<Void> b = CompletableFuture.runAsync(() -> { Order.enter(B); x++; Order.leave(B); });
      CompletableFuture.allOf(a, b).join();
    }
  }

  static final class OrTimeout_norace extends Case.Solo {
    int x;
    void run() {
      x = 1;
      try {
        new CompletableFuture<Integer>().orTimeout(1, TimeUnit.MILLISECONDS).whenComplete((v, e) -> x++).join();
      } catch (CompletionException expected) { x++; }
    }
  }
}
