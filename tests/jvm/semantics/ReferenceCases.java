// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** Cleaners, finalizers and reference queues: the collector is asked until it has done its work. */
final class ReferenceCases {
  static final Cleaner CLEANER = Cleaner.create();

  static final class Cleaner_norace extends Case.Solo {
    static final class State implements Runnable { int x; @Override public void run() { x++; Order.signal(0); } }
    static void register(State state) { state.x = 1; CLEANER.register(new Object(), state); }
    void run() {
      register(new State());
      while (!Order.signalled(0)) System.gc();
    }
  }

  @Case.Racy("x")
  static final class AfterCleanerRegister_race extends Case.Solo {
    static final class State implements Runnable { int x; @Override public void run() { Order.enter(A); x++; Order.leave(A); Order.signal(0); } }
    void run() {
      State state = new State();
      register(state);
      while (!Order.hasArrived(A)) System.gc();
      Order.enter(B);
      state.x = 1;
      Order.leave(B);
      while (!Order.signalled(0)) System.gc();
    }
    static void register(State state) { CLEANER.register(new Object(), state); }
  }

  /** What was done before a fence of the object happens before its references are cleared. */
  static final class CleanerAfterFence_norace extends Case.Solo {
    static final class State implements Runnable { int x; @Override public void run() { x++; Order.signal(0); } }
    void run() {
      use(new State());
      while (!Order.signalled(0)) System.gc();
    }
    static void use(State state) { Object o = new Object(); CLEANER.register(o, state); state.x = 1; Reference.reachabilityFence(o); }
  }

  @Case.Racy("x")
  static final class CleanerBeforeFence_race extends Case.Solo {
    static final class State implements Runnable { int x; @Override public void run() { Order.enter(A); x++; Order.leave(A); Order.signal(0); } }
    void run() {
      State state = new State();
      use(state);
      while (!Order.hasArrived(A)) System.gc();
      Order.enter(B);
      state.x = 1;
      Order.leave(B);
      while (!Order.signalled(0)) System.gc();
    }
    static void use(State state) { Object o = new Object(); CLEANER.register(o, state); Reference.reachabilityFence(o); }
  }

  /** Who enqueues a reference by himself has not waited for the collector. */
  @Case.Racy("x")
  static final class EnqueueAfterFence_race extends Case.Pair {
    final ReferenceQueue<Object> queue = new ReferenceQueue<>();
    final WeakReference<Object> reference = new WeakReference<>(this, queue);
    int x;
    void a() { x = 1; Reference.reachabilityFence(this); }
    void b() { reference.enqueue(); queue.poll(); x = 2; }
  }

  static final class ExplicitClean_norace extends Case.Pair {
    static final class State implements Runnable { int x; @Override public void run() { x++; } }
    final State state = new State();
    final Cleaner.Cleanable cleanable = CLEANER.register(this, state);
    void a() { cleanable.clean(); }
    void b() { cleanable.clean(); }
  }

  /** The end of the constructor happens before the finalizer (JLS 17.4.5). */
  @SuppressWarnings("deprecation")
  static final class Finalizer_norace extends Case.Solo {
    static final class Finalized {
      int x;
      Finalized() { x = 1; }
      @Override protected void finalize() { x++; Order.signal(0); }
    }
    static void make() { new Finalized(); }
    void run() {
      make();
      while (!Order.signalled(0)) System.gc();
    }
  }

  /** Only what the constructor did is ordered before the finalizer. */
  @Case.Racy("x")
  static final class FinalizerAfterConstructor_race extends Case.Solo {
    static final class Finalized {
      int x;
      @Override protected void finalize() { x++; Order.signal(0); }
    }
    static void make() { new Finalized().x = 1; }
    void run() {
      make();
      while (!Order.signalled(0)) System.gc();
    }
  }

  static final class Enqueue_norace extends Case.Handoff {
    final ReferenceQueue<Object> queue = new ReferenceQueue<>();
    final WeakReference<Object> reference = new WeakReference<>(new Object[1], queue);
    final WeakReference<Object> other = new WeakReference<>(this, queue);
    int x;
    void a() { x = 1; other.enqueue(); }
    void b() throws Exception { while (queue.remove() != other) { } x = 2; }
  }

  @Case.Racy("x")
  static final class AfterEnqueue_race extends Case.Pair {
    final ReferenceQueue<Object> queue = new ReferenceQueue<>();
    final WeakReference<Object> reference = new WeakReference<>(this, queue);
    int x;
    void a() { reference.enqueue(); x = 1; }
    void b() { queue.poll(); x = 2; }
  }

  static final class ReachabilityFence_norace extends Case.Solo {
    static final class State { int x; }
    void run() throws Exception {
      ReferenceQueue<Object> queue = new ReferenceQueue<>();
      State state = new State();
      Reference<?> phantom = make(queue, state);
      Reference<?> found = null;
      while (found == null) { System.gc(); found = queue.poll(); }
      state.x++;
      if (found != phantom) throw new AssertionError();
    }
    static Reference<?> make(ReferenceQueue<Object> queue, State state) { Object o = new Object(); state.x = 1; Reference<?> made = new PhantomReference<>(o, queue); Reference.reachabilityFence(o); return made; }
  }
}
