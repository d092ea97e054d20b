// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Proxy;

/**
 * Arrays that go from method to method before anybody else has them, are let out on the way, and are accessed afterwards. The reference goes from
 * one thread to the other in opaque mode, which neither races nor orders. Whoever comes first makes the array, the other one looks.
 */
final class HandedArrayCases {
  interface Sink { void take(int[] array); }

  abstract static class Handing extends Case.Pair {
    Object slot;
    private static final VarHandle SLOT;

    static {
      try {
        SLOT = MethodHandles.lookup().findVarHandle(Handing.class, "slot", Object.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    abstract void make();

    abstract int look(int[] found);

    void letOut(Object array) { SLOT.setOpaque(this, array); }

    private void meet() {
      Object found = SLOT.getOpaque(this);
      if (found == null) make(); else look((int[]) found);
    }

    void a() { meet(); }

    void b() { meet(); }
  }

  @Case.Racy("[]")
  static final class LetOutByTheCallee_race extends Handing {
    void keep(int[] array) { letOut(array); }
    void make() { fill(new int[4]); }
    void fill(int[] array) { array[0] = 1; keep(array); array[2] = 1; }
    int look(int[] found) { return found[2]; }
  }

  static final class LetOutByTheCallee_norace extends Handing {
    void keep(int[] array) { letOut(array); }
    void make() { fill(new int[4]); }
    void fill(int[] array) { array[2] = 1; keep(array); array[1] = 1; }
    int look(int[] found) { return found[3]; }
  }

  @Case.Racy("[]")
  static final class LetOutByTheMaker_race extends Handing {
    int sum(int[] array) { return array[0] + array[1] + array[2]; }
    void make() { fill(new int[4]); }
    void fill(int[] array) {
      int sum = sum(array);
      letOut(array);
      array[2] = sum + sum(array);
    }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class ReadByTheCalleeAfterwards_race extends Handing {
    int sum(int[] array) { return array[0] + array[1]; }
    void make() { fill(new int[4]); }
    void fill(int[] array) {
      sum(array);
      letOut(array);
      sum(array);
    }
    int look(int[] found) { return found[1] = 5; }
  }

  @Case.Racy("[]")
  static final class LetOutAndThrown_race extends Handing {
    void keep(int[] array) { letOut(array); throw new IllegalStateException(); }
    void make() { fill(new int[4]); }
    void fill(int[] array) {
      try {
        keep(array);
      } catch (IllegalStateException e) {
        array[2] = 1;
      }
    }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class LetOutTwoCallsDeep_race extends Handing {
    void deeper(int[] array) { array[0]++; letOut(array); }
    void deep(int[] array) { array[0]++; deeper(array); }
    void make() { fill(new int[4]); }
    void fill(int[] array) { deep(array); array[2] = 1; }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class LetOutAtTheEndOfARecursion_race extends Handing {
    void make() { fill(new int[4], 3); }
    void fill(int[] array, int depth) {
      if (depth == 0) {
        letOut(array);
      } else {
        fill(array, depth - 1);
        array[2] = depth;
      }
    }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class TwoParameters_race extends Handing {
    void both(int[] one, int[] other) { letOut(other); one[2] = 1; }
    void make() { fill(new int[4]); }
    void fill(int[] array) { both(array, array); }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class ArrayAndObject_race extends Handing {
    void both(int[] one, Object other) { letOut(other); one[2] = 1; }
    void make() { fill(new int[4]); }
    void fill(int[] array) { both(array, array); }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class ReturnedParameter_race extends Handing {
    int[] same(int[] array) { return array; }
    void make() { fill(new int[4]); }
    void fill(int[] array) { letOut(same(array)); array[2] = 1; }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class ReturnedAndLetOut_race extends Handing {
    int[] made() {
      int[] array = new int[4];
      letOut(array);
      return array;
    }
    void write(int[] array) { array[2] = 1; }
    void make() { write(made()); }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class ReturnedBySuperAndLetOut_race extends Handing {
    static class Base { int[] values() { return new int[4]; } }
    final class Derived extends Base {
      int[] values() {
        int[] array = super.values();
        letOut(array);
        return array;
      }
    }
    void write(int[] array) { array[2] = 1; }
    void make() { write(new Derived().values()); }
    int look(int[] found) { return found[2]; }
  }

  /** What the method called last has made is not what this one returns. */
  @Case.Racy("[]")
  static final class AnotherIsReturned_race extends Handing {
    static class Base { int[] values() { return new int[4]; } }
    final class Derived extends Base {
      final int[] kept = new int[4];
      int[] values() {
        letOut(kept);
        super.values();
        return kept;
      }
    }
    void write(int[] array) { array[2] = 1; }
    void make() { write(new Derived().values()); }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class MadeByTheCalleeLetOutHere_race extends Handing {
    int[] made() { return new int[4]; }
    void write(int[] array) { array[2] = 1; }
    void make() {
      int[] array = made();
      write(array);
      letOut(array);
      write(array);
    }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class ByALambda_race extends Handing {
    void make() { fill(new int[4], this::letOut); }
    void fill(int[] array, Sink sink) { sink.take(array); array[2] = 1; }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class ByAConstructor_race extends Handing {
    final class Box { final int[] v; Box(int[] v) { this.v = v; } }
    void make() { fill(new int[4]); }
    void fill(int[] array) {
      Box box = new Box(array);
      letOut(box.v);
      array[2] = 1;
    }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class InAnotherArray_race extends Handing {
    void make() { fill(new int[4]); }
    void fill(int[] array) {
      int[][] outer = {array};
      letOut(outer[0]);
      array[2] = 1;
    }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class UnderAnotherName_race extends Handing {
    void make() { fill(new int[4], new int[4], Order.first() >= 0); }
    void fill(int[] array, int[] other, boolean which) {
      int[] one = which ? array : other;
      letOut(one);
      array[2] = 1;
    }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class ThroughAVariable_race extends Handing {
    void make() { fill(new int[4]); }
    void fill(int[] array) {
      int[] one = array;
      array = new int[1];
      letOut(one);
      one[2] = array[0];
    }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class InALoop_race extends Handing {
    void keep(int[] array, int round) { if (round == 1) letOut(array); }
    void make() { fill(new int[4]); }
    void fill(int[] array) {
      for (int i = 0; i < 3; i++) {
        array[2] = i;
        keep(array, i);
      }
    }
    int look(int[] found) { return found[2]; }
  }

  @Case.Racy("[]")
  static final class References_race extends Handing {
    void store(Object[] array) { array[0] = "a"; }
    void make() { fill(new int[4], new Object[1]); }
    void fill(int[] array, Object[] others) {
      store(others);
      store(new Object[] {array});
      letOut(array);
      others[0] = array;
      array[2] = 1;
    }
    int look(int[] found) { return found[2]; }
  }

  /** Not by the thread's own calls: nothing of them is left when somebody else's array comes. */
  @Case.Racy("[]")
  static final class SharedAfterOwn_race extends Case.Pair {
    final int[] shared = new int[4];
    int total;
    int sum(int... numbers) { return numbers[0] + numbers[1]; }
    void set(int[] array) { array[2]++; }
    void a() { sum(1, 2); set(new int[4]); set(shared); }
    void b() { sum(3, 4); set(new int[4]); set(shared); }
  }

  /** The code of a method reference is not watched: it takes no token, and gives none back. */
  @Case.Racy("[]")
  static final class SharedAfterAnExceptionOfOthers_race extends Case.Pair {
    final int[] shared = new int[4];
    final Sink failing = Object::notify;
    final Sink real = new Sink() { public void take(int[] array) { array[2]++; } };
    private void meet() {
      try {
        failing.take(new int[4]);
      } catch (IllegalMonitorStateException e) {
        real.take(shared);
      }
    }
    void a() { meet(); }
    void b() { meet(); }
  }

  /** Nor is a proxy: what the method of that name says, to whom its handler calls it, is about another array. */
  @Case.Racy("[]")
  static final class KeptBehindAProxy_race extends Handing {
    final Sink real = new Sink() { public void take(int[] array) { array[0]++; } };
    final Sink proxy = (Sink) Proxy.newProxyInstance(Sink.class.getClassLoader(), new Class<?>[] {Sink.class}, (self, method, arguments) -> {
      letOut(arguments[0]);
      real.take(new int[4]);
      return null;
    });
    void make() { fill(new int[4]); }
    void fill(int[] array) { proxy.take(array); array[2] = 1; }
    int look(int[] found) { return found[2]; }
  }

  static final class VariableArguments_norace extends Case.Pair {
    int sum(int... numbers) { return numbers.length == 0 ? 0 : numbers[0] + rest(numbers); }
    int rest(int[] numbers) { return numbers.length < 2 ? 0 : numbers[1]; }
    void a() { for (int i = 0; i < 5; i++) sum(i, i + 1); }
    void b() { for (int i = 0; i < 5; i++) sum(i); }
  }

  static final class HandedOnInOrder_norace extends Case.Pair {
    final Object lock = new Object();
    int[] shared; // guarded by lock
    void fill(int[] array) { array[0] = 1; more(array); array[2] = 3; }
    void more(int[] array) { array[1] = 2; }
    void a() { meet(); }
    void b() { meet(); }
    private void meet() {
      int[] array = new int[4];
      fill(array);
      synchronized (lock) {
        if (shared == null) shared = array; else fill(shared);
      }
    }
  }
}
