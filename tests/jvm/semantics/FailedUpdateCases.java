// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Compare-and-set that does not set: it is a volatile load and no more. It receives what the variable publishes, and publishes nothing.
 */
final class FailedUpdateCases {
  static void fails(boolean succeeded) {
    if (succeeded) throw new AssertionError();
  }

  @Case.Racy("x")
  static final class OfInteger_race extends Case.Pair {
    final AtomicInteger state = new AtomicInteger(1);
    int x;
    void a() { x = 1; fails(state.compareAndSet(0, 5)); }
    void b() { state.get(); x = 2; }
  }

  @Case.Racy("x")
  static final class OfLong_race extends Case.Pair {
    final AtomicLong state = new AtomicLong(1);
    int x;
    void a() { x = 1; fails(state.weakCompareAndSetVolatile(0, 5)); }
    void b() { state.get(); x = 2; }
  }

  @Case.Racy("x")
  static final class OfReference_race extends Case.Pair {
    final AtomicReference<String> state = new AtomicReference<>("1");
    int x;
    void a() { x = 1; fails(state.compareAndSet(null, "5")); }
    void b() { state.get(); x = 2; }
  }

  @Case.Racy("x")
  static final class OfBoolean_race extends Case.Pair {
    final AtomicBoolean state = new AtomicBoolean(true);
    int x;
    void a() { x = 1; fails(state.compareAndSet(false, true)); }
    void b() { state.get(); x = 2; }
  }

  @Case.Racy("x")
  static final class OfArray_race extends Case.Pair {
    final AtomicIntegerArray state = new AtomicIntegerArray(new int[] {1, 1});
    int x;
    void a() { x = 1; fails(state.compareAndSet(1, 0, 5)); }
    void b() { state.get(1); x = 2; }
  }

  @Case.Racy("x")
  static final class OfUpdater_race extends Case.Pair {
    static final AtomicIntegerFieldUpdater<OfUpdater_race> STATE = AtomicIntegerFieldUpdater.newUpdater(OfUpdater_race.class, "state");
    volatile int state = 1;
    int x;
    void a() { x = 1; fails(STATE.compareAndSet(this, 0, 5)); }
    void b() { int seen = state; x = 2 + seen; }
  }

  @Case.Racy("x")
  static final class OfHandle_race extends Case.Pair {
    static final VarHandle STATE = VarHandleCases.field(OfHandle_race.class, "state", int.class);
    volatile int state = 1;
    int x;
    void a() { x = 1; fails(STATE.compareAndSet(this, 0, 5)); }
    void b() { int seen = state; x = 2 + seen; }
  }

  @Case.Racy("x")
  static final class OfPlainFieldHandle_race extends Case.Pair {
    static final VarHandle STATE = VarHandleCases.field(OfPlainFieldHandle_race.class, "state", long.class);
    long state = 1;
    int x;
    void a() { x = 1; fails(STATE.compareAndSet(this, 0L, 5L)); }
    void b() { STATE.getVolatile(this); x = 2; }
  }

  @Case.Racy("x")
  static final class OfStaticHandle_race extends Case.Pair {
    static final VarHandle STATE = VarHandleCases.staticField(OfStaticHandle_race.class, "state", int.class);
    static volatile int state = 1;
    int x;
    void a() { x = 1; fails(STATE.weakCompareAndSet(0, 5)); }
    void b() { int seen = state; x = 2 + seen; }
  }

  @Case.Racy("x")
  static final class OfUnsafe_race extends Case.Pair {
    static final long STATE = Order.unsafe().objectFieldOffset(ReflectionCases.field(OfUnsafe_race.class, "state"));
    volatile int state = 1;
    int x;
    void a() { x = 1; fails(Order.unsafe().compareAndSwapInt(this, STATE, 0, 5)); }
    void b() { int seen = state; x = 2 + seen; }
  }

  /** What somebody else has published there before stays published. */
  static final class KeepsWhatWasThere_norace extends Case.Pair {
    final AtomicInteger state = new AtomicInteger();
    int x;
    private void meet() {
      if (state.getOpaque() == 0) {
        x = 1;
        state.set(1);
        Thread other = new Thread(() -> fails(state.compareAndSet(7, 8)));
        other.start();
        while (other.isAlive()) Thread.onSpinWait();
      } else {
        state.get();
        x = 2;
      }
    }
    void a() { meet(); }
    void b() { meet(); }
  }

  /** And what this thread itself has published there. */
  static final class KeepsItsOwn_norace extends Case.Pair {
    final AtomicInteger state = new AtomicInteger();
    int x;
    int y;
    private void meet() {
      if (state.getOpaque() == 0) {
        x = 1;
        state.set(1);
        y = 1;
        fails(state.compareAndSet(7, 8));
      } else {
        state.get();
        x = 2;
      }
    }
    void a() { meet(); }
    void b() { meet(); }
  }

  static final class FailsThenSucceeds_norace extends Case.Pair {
    final AtomicInteger state = new AtomicInteger();
    int x;
    private void meet() {
      if (state.getOpaque() == 0) {
        x = 1;
        fails(state.compareAndSet(7, 8));
        fails(!state.compareAndSet(0, 1));
        fails(state.compareAndSet(7, 8));
      } else {
        state.get();
        x = 2;
      }
    }
    void a() { meet(); }
    void b() { meet(); }
  }

  /** It has loaded. */
  static final class Receives_norace extends Case.Pair {
    final AtomicInteger state = new AtomicInteger();
    int x;
    private void meet() {
      if (state.getOpaque() == 0) {
        x = 1;
        fails(!state.compareAndSet(0, 1));
      } else {
        fails(state.compareAndSet(0, 2));
        x = 2;
      }
    }
    void a() { meet(); }
    void b() { meet(); }
  }

  static final class ReceivesThroughHandle_norace extends Case.Pair {
    static final VarHandle STATE = VarHandleCases.field(ReceivesThroughHandle_norace.class, "state", int.class);
    int state;
    int x;
    private void meet() {
      if ((int) STATE.getOpaque(this) == 0) {
        x = 1;
        fails(!STATE.compareAndSet(this, 0, 1));
      } else {
        fails(STATE.compareAndSet(this, 0, 2));
        x = 2;
      }
    }
    void a() { meet(); }
    void b() { meet(); }
  }
}
