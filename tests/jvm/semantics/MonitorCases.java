// SPDX-License-Identifier: Apache-2.0
package semantics;

final class MonitorCases {
  @Case.Cold
  static final class SameLock_norace extends Case.Pair {
    final Object lock = new Object();
    int x;
    void a() { synchronized (lock) { x = 1; } }
    void b() { synchronized (lock) { x = 2; } }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class DifferentLocks_race extends Case.Pair {
    final Object lock = new Object();
    final Object other = new Object();
    int x;
    void a() { synchronized (lock) { x = 1; } }
    void b() { synchronized (other) { x = 2; } }
  }

  @Case.Racy("x")
  static final class OneSideLocks_race extends Case.Pair {
    final Object lock = new Object();
    int x;
    void a() { synchronized (lock) { x = 1; } }
    void b() { x = 2; }
  }

  @Case.Racy("x")
  static final class ReaderDoesNotLock_race extends Case.Pair {
    final Object lock = new Object();
    int x;
    int seen;
    void a() { synchronized (lock) { x = 1; } }
    void b() { seen = x; }
  }

  /** An edge runs from what is before the unlock, and to what is after the lock: not the other way round. */
  @Case.Racy("x")
  static final class AfterUnlock_race extends Case.Pair {
    final Object lock = new Object();
    int x;
    void a() { synchronized (lock) { lock.hashCode(); } x = 1; }
    void b() { synchronized (lock) { lock.hashCode(); } x = 2; }
  }

  static final class BeforeUnlockAfterLock_norace extends Case.Pair {
    final Object lock = new Object();
    int x;
    boolean done;
    void a() { x = 1; synchronized (lock) { done = true; } }
    void b() { boolean seen; synchronized (lock) { seen = done; } if (seen) x = 2; }
  }

  static final class Reentrant_norace extends Case.Pair {
    final Object lock = new Object();
    int x;
    void a() { synchronized (lock) { synchronized (lock) { x = 1; } x = 2; } }
    void b() { synchronized (lock) { synchronized (lock) { x = 3; } x = 4; } }
  }

  static final class ReentrantMethod_norace extends Case.Pair {
    int x;
    synchronized void add(int depth) { if (depth > 0) add(depth - 1); x++; }
    void a() { add(3); }
    void b() { add(3); }
  }

  static class Base {
    synchronized void inBase(Runnable action) { action.run(); }
  }

  static final class Derived extends Base {
    synchronized void inDerived(Runnable action) { action.run(); }
  }

  /** One monitor, whichever class declares the synchronized method. */
  static final class MethodsOfTwoClasses_norace extends Case.Pair {
    final Derived guard = new Derived();
    int x;
    void a() { guard.inBase(() -> x = 1); }
    void b() { guard.inDerived(() -> x = 2); }
  }

  static final class InheritedMethodAndBlock_norace extends Case.Pair {
    final Derived guard = new Derived();
    int x;
    void a() { guard.inBase(() -> x = 1); }
    void b() { synchronized (guard) { x = 2; } }
  }

  @Case.Racy("x")
  static final class MethodsOfTwoObjects_race extends Case.Pair {
    final Derived guard = new Derived();
    final Derived other = new Derived();
    int x;
    void a() { guard.inBase(() -> x = 1); }
    void b() { other.inBase(() -> x = 2); }
  }

  static final class Copied implements Cloneable {
    synchronized void run(Runnable action) { action.run(); }

    Copied copy() {
      try {
        return (Copied) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A clone has a monitor of its own, of which nothing is known. */
  @Case.Racy("x")
  static final class MonitorOfAClone_race extends Case.Pair {
    final Copied guard = new Copied();
    int x;
    void a() { guard.run(() -> x = 1); }
    void b() { guard.copy().run(() -> x = 2); }
  }

  static final class NestedLocks_norace extends Case.Pair {
    final Object outer = new Object();
    final Object inner = new Object();
    int x;
    void a() { synchronized (outer) { synchronized (inner) { x = 1; } } }
    void b() { synchronized (inner) { x = 2; } }
  }

  @Case.Racy("x")
  static final class NestedLocksNoneInCommon_race extends Case.Pair {
    final Object[] locks = {new Object(), new Object(), new Object(), new Object()};
    int x;
    void a() { synchronized (locks[0]) { synchronized (locks[1]) { x = 1; } } }
    void b() { synchronized (locks[2]) { synchronized (locks[3]) { x = 2; } } }
  }

  static final class SynchronizedMethod_norace extends Case.Pair {
    int x;
    synchronized void set(int v) { x = v; }
    void a() { set(1); }
    void b() { set(2); }
  }

  static final class SynchronizedMethodAndBlock_norace extends Case.Pair {
    int x;
    synchronized void set(int v) { x = v; }
    void a() { set(1); }
    void b() { synchronized (this) { x = 2; } }
  }

  @Case.Racy("x")
  static final class SynchronizedMethodsOfTwoObjects_race extends Case.Pair {
    static int x;
    static final class Setter { synchronized void set(int v) { x = v; } }
    final Setter one = new Setter();
    final Setter two = new Setter();
    void a() { one.set(1); }
    void b() { two.set(2); }
  }

  static final class StaticSynchronizedMethod_norace extends Case.Pair {
    static int x;
    static synchronized void set(int v) { x = v; }
    void a() { set(1); }
    void b() { set(2); }
  }

  static final class StaticMethodAndClassLock_norace extends Case.Pair {
    static int x;
    static synchronized void set(int v) { x = v; }
    void a() { set(1); }
    void b() { synchronized (StaticMethodAndClassLock_norace.class) { x = 2; } }
  }

  @Case.Racy("x")
  static final class StaticAndInstanceMethods_race extends Case.Pair {
    static int x;
    static synchronized void setStatic(int v) { x = v; }
    synchronized void set(int v) { x = v; }
    void a() { setStatic(1); }
    void b() { set(2); }
  }

  static final class ExitByException_norace extends Case.Pair {
    final Object lock = new Object();
    int x;
    void set(int v) {
      try {
        synchronized (lock) { x = v; throw new IllegalStateException(); }
      } catch (IllegalStateException expected) { }
    }
    void a() { set(1); }
    void b() { set(2); }
  }

  static final class MethodExitByException_norace extends Case.Pair {
    int x;
    synchronized void set(int v) { x = v; throw new IllegalStateException(); }
    void a() { try { set(1); } catch (IllegalStateException expected) { } }
    void b() { try { set(2); } catch (IllegalStateException expected) { } }
  }

  @Case.Racy("x")
  static final class AfterExitByException_race extends Case.Pair {
    int x;
    synchronized void fail() { throw new IllegalStateException(); }
    void a() { try { fail(); } catch (IllegalStateException expected) { x = 1; } }
    void b() { try { fail(); } catch (IllegalStateException expected) { x = 2; } }
  }

  static final class LockIsArray_norace extends Case.Pair {
    final int[] lock = new int[1];
    void a() { synchronized (lock) { lock[0]++; } }
    void b() { synchronized (lock) { lock[0]++; } }
  }

  static final class LockIsString_norace extends Case.Pair {
    int x;
    void a() { synchronized ("LockIsString") { x = 1; } }
    void b() { synchronized ("LockIsString") { x = 2; } }
  }

  static final class LockIsThread_norace extends Case.Pair {
    int x;
    void a() { synchronized (threadA) { x = 1; } }
    void b() { synchronized (threadA) { x = 2; } }
  }

  @Case.Racy({"x", "lock"})
  static final class LockIsReplaced_race extends Case.Pair {
    Object lock = new Object();
    int x;
    void a() { synchronized (lock) { lock = new Object(); x = 1; } }
    void b() { synchronized (lock) { lock = new Object(); x = 2; } }
  }

  /** A thread that goes through many monitors between two accesses of the same one. */
  static final class ManyLocks_norace extends Case.Pair {
    final Object lock = new Object();
    final Object[] others = new Object[100];
    int x;
    void setup() { for (int i = 0; i < others.length; i++) others[i] = new Object(); }
    void add() {
      synchronized (lock) { x++; }
      for (Object other : others) synchronized (other) { other.hashCode(); }
      synchronized (lock) { x++; }
    }
    void a() { add(); }
    void b() { add(); }
  }

  /** More than a thread remembers, of several kinds, all held at once. */
  static final class Nest {
    private final Object[] locks = new Object[100];

    Nest() {
      for (int i = 0; i < locks.length; i++) locks[i] = i % 3 == 0 ? new Object() : i % 3 == 1 ? new Derived() : new int[i];
    }

    void run(int from, Runnable action) {
      if (from == locks.length) {
        action.run();
      } else {
        synchronized (locks[from]) { run(from + 1, action); }
      }
    }
  }

  static final class DeepNest_norace extends Case.Pair {
    final Nest nest = new Nest();
    int x;
    void a() { nest.run(0, () -> x++); }
    void b() { for (int i = 0; i < 3; i++) synchronized (nest.locks[57 + i]) { x++; } }
  }

  /** All have been left again. */
  @Case.Racy("x")
  static final class AfterDeepNest_race extends Case.Pair {
    final Nest nest = new Nest();
    int x;
    int inside;
    void a() { nest.run(0, () -> inside++); x = 1; }
    void b() { nest.run(0, () -> inside++); x = 2; }
  }

  static final class IdentityHashOfLocked_norace extends Case.Pair {
    final Object lock = new Object();
    int x;
    void a() { synchronized (lock) { x = System.identityHashCode(lock); } }
    void b() { synchronized (lock) { x = System.identityHashCode(lock); } }
  }

  // ---- wait and notify -------------------------------------------------------------------------------------------------------

  static final class WaitNotify_norace extends Case.Handoff {
    final Object lock = new Object();
    boolean ready;
    int x;
    void a() { x = 1; synchronized (lock) { ready = true; lock.notify(); } }
    void b() throws Exception { synchronized (lock) { while (!ready) lock.wait(); } x = 2; }
  }

  @Case.Racy("x")
  static final class WaitNotifyTooEarly_race extends Case.Handoff {
    final Object lock = new Object();
    boolean ready;
    int x;
    void a() { x = 1; synchronized (lock) { ready = true; lock.notify(); } }
    void b() throws Exception { x = 2; synchronized (lock) { while (!ready) lock.wait(); } }
  }

  static final class WaitNotifyAll_norace extends Case.Handoff {
    final Object lock = new Object();
    boolean ready;
    int x;
    void a() { x = 1; synchronized (lock) { ready = true; lock.notifyAll(); } }
    void b() throws Exception { synchronized (lock) { while (!ready) lock.wait(); } x = 2; }
  }

  static final class WaitTimed_norace extends Case.Handoff {
    final Object lock = new Object();
    boolean ready;
    int x;
    void a() { x = 1; synchronized (lock) { ready = true; lock.notifyAll(); } }
    void b() throws Exception { synchronized (lock) { while (!ready) lock.wait(1_000_000); } x = 2; }
  }

  static final class WaitNanos_norace extends Case.Handoff {
    final Object lock = new Object();
    boolean ready;
    int x;
    void a() { x = 1; synchronized (lock) { ready = true; lock.notifyAll(); } }
    void b() throws Exception { synchronized (lock) { while (!ready) lock.wait(1_000_000, 1); } x = 2; }
  }

  static final class WaitTimesOut_norace extends Case.Pair {
    final Object lock = new Object();
    int x;
    void a() throws Exception { synchronized (lock) { lock.wait(1); x = 1; } }
    void b() throws Exception { synchronized (lock) { lock.wait(1); x = 2; } }
  }

  @Case.Racy("x")
  static final class WaitTimesOutThenAfter_race extends Case.Pair {
    final Object lock = new Object();
    int x;
    void a() throws Exception { synchronized (lock) { lock.wait(1); } x = 1; }
    void b() throws Exception { synchronized (lock) { lock.wait(1); } x = 2; }
  }

  /** wait() gives the monitor up: what the waiter did before it happens before the notifier's critical section. */
  static final class WaitGivesUpMonitor_norace extends Case.Handoff {
    final Object lock = new Object();
    boolean ready;
    int x;
    void a() { synchronized (lock) { x = 1; ready = true; lock.notify(); } }
    void b() throws Exception { synchronized (lock) { x = 2; while (!ready) lock.wait(); x = 3; } }
  }

  static final class WaitReentrant_norace extends Case.Handoff {
    boolean ready;
    int x;
    synchronized void await() throws Exception { synchronized (this) { while (!ready) wait(); x++; } x++; }
    synchronized void go() { x = 1; ready = true; notify(); }
    void a() { go(); }
    void b() throws Exception { await(); }
  }

  static final class WaitInterrupted_norace extends Case.Handoff {
    final Object lock = new Object();
    int x;
    void a() { x = 1; threadB.interrupt(); }
    void b() throws Exception {
      try {
        synchronized (lock) { for (;;) lock.wait(); }
      } catch (InterruptedException expected) { x = 2; }
    }
  }

  @Case.Racy("x")
  static final class WaitOfOtherMonitor_race extends Case.Handoff {
    final Object lock = new Object();
    final Object data = new Object();
    boolean ready;
    int x;
    void a() { synchronized (data) { x = 1; } synchronized (lock) { ready = true; lock.notify(); } }
    void b() throws Exception { x = 2; synchronized (lock) { while (!ready) lock.wait(); } }
  }

  static final class ProducerConsumer_norace extends Case.Handoff {
    int[] slot;
    int sum;
    synchronized void put(int[] v) throws Exception { while (slot != null) wait(); slot = v; notifyAll(); }
    synchronized int[] take() throws Exception { while (slot == null) wait(); int[] v = slot; slot = null; notifyAll(); return v; }
    void a() throws Exception { put(new int[] {7}); }
    void b() throws Exception { sum += take()[0]; }
  }
}
