// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Methods that mean something to the detector, called by a method reference (which is a hidden class), and {@code wait} by whatever else can call
 * it. References and handles are made before the threads: to link them synchronises.
 */
final class MethodReferenceCases {
  interface Waiting { void run() throws Exception; }

  interface WaitingFor { void run(long millis) throws Exception; }

  static MethodHandle waitHandle(Class<?>... parameters) {
    try {
      return MethodHandles.lookup().findVirtual(Object.class, "wait", MethodType.methodType(void.class, parameters));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static Method waitMethod(Class<?>... parameters) {
    try {
      return Object.class.getMethod("wait", parameters);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // ---- wait ------------------------------------------------------------------------------------------------------------------

  static final class Wait_norace extends Case.Handoff {
    final Object lock = new Object();
    final Waiting waiting = lock::wait;
    boolean ready;
    int x;
    void a() { synchronized (lock) { x = 1; ready = true; lock.notify(); } }
    void b() throws Exception { synchronized (lock) { x = 2; while (!ready) waiting.run(); x = 3; } }
  }

  @Case.Racy("x")
  static final class WaitTooEarly_race extends Case.Handoff {
    final Object lock = new Object();
    final Waiting waiting = lock::wait;
    boolean ready;
    int x;
    void a() { x = 1; synchronized (lock) { ready = true; lock.notify(); } }
    void b() throws Exception { x = 2; synchronized (lock) { while (!ready) waiting.run(); } }
  }

  static final class WaitMillis_norace extends Case.Handoff {
    final Object lock = new Object();
    final WaitingFor waiting = lock::wait;
    boolean ready;
    int x;
    void a() { synchronized (lock) { x = 1; ready = true; lock.notify(); } }
    void b() throws Exception { synchronized (lock) { x = 2; while (!ready) waiting.run(1_000_000); x = 3; } }
  }

  @Case.Racy("x")
  static final class WaitMillisTooEarly_race extends Case.Handoff {
    final Object lock = new Object();
    final WaitingFor waiting = lock::wait;
    boolean ready;
    int x;
    void a() { x = 1; synchronized (lock) { ready = true; lock.notify(); } }
    void b() throws Exception { x = 2; synchronized (lock) { while (!ready) waiting.run(1_000_000); } }
  }

  static final class WaitByReflection_norace extends Case.Handoff {
    static final Method WAIT = waitMethod();
    final Object lock = new Object();
    boolean ready;
    int x;
    void a() { synchronized (lock) { x = 1; ready = true; lock.notify(); } }
    void b() throws Exception { synchronized (lock) { x = 2; while (!ready) WAIT.invoke(lock); x = 3; } }
  }

  @Case.Racy("x")
  static final class WaitByReflectionTooEarly_race extends Case.Handoff {
    static final Method WAIT = waitMethod();
    final Object lock = new Object();
    boolean ready;
    int x;
    void a() { x = 1; synchronized (lock) { ready = true; lock.notify(); } }
    void b() throws Exception { x = 2; synchronized (lock) { while (!ready) WAIT.invoke(lock); } }
  }

  static final class WaitMillisByReflection_norace extends Case.Handoff {
    static final Method WAIT = waitMethod(long.class);
    final Object lock = new Object();
    boolean ready;
    int x;
    void a() { synchronized (lock) { x = 1; ready = true; lock.notify(); } }
    void b() throws Exception { synchronized (lock) { x = 2; while (!ready) WAIT.invoke(lock, 1_000_000L); x = 3; } }
  }

  static final class WaitByHandle_norace extends Case.Handoff {
    static final MethodHandle WAIT = waitHandle();
    final Object lock = new Object();
    boolean ready;
    int x;
    void a() { synchronized (lock) { x = 1; ready = true; lock.notify(); } }
    void b() throws Exception {
      synchronized (lock) {
        x = 2;
        while (!ready) {
          try {
            WAIT.invokeExact(lock);
          } catch (Throwable e) {
            throw new AssertionError(e);
          }
        }
        x = 3;
      }
    }
  }

  static final class WaitNanosByHandle_norace extends Case.Handoff {
    static final MethodHandle WAIT = waitHandle(long.class, int.class);
    final Object lock = new Object();
    boolean ready;
    int x;
    void a() { synchronized (lock) { x = 1; ready = true; lock.notify(); } }
    void b() throws Exception {
      synchronized (lock) {
        x = 2;
        while (!ready) {
          try {
            WAIT.invokeExact(lock, 1_000_000L, 1);
          } catch (Throwable e) {
            throw new AssertionError(e);
          }
        }
        x = 3;
      }
    }
  }

  // ---- arrays ----------------------------------------------------------------------------------------------------------------

  @Case.Racy("[]")
  static final class Sort_race extends Case.Pair {
    final int[] array = {3, 2, 1};
    final Consumer<int[]> sort = Arrays::sort;
    void a() { sort.accept(array); }
    void b() { array[0] = 4; }
  }

  static final class Sort_norace extends Case.Pair {
    final int[] array = {3, 2, 1};
    final Consumer<int[]> sort = Arrays::sort;
    synchronized void a() { sort.accept(array); }
    synchronized void b() { array[0] = 4; }
  }

  @Case.Racy("[]")
  static final class ToString_race extends Case.Pair {
    final int[] array = {3, 2, 1};
    final Function<int[], String> text = Arrays::toString;
    void a() { text.apply(array); }
    void b() { array[2] = 4; }
  }

  static final class ToStringOfBoth_norace extends Case.Pair {
    final int[] array = {3, 2, 1};
    final Function<int[], String> text = Arrays::toString;
    void a() { text.apply(array); }
    void b() { text.apply(array); }
  }

  interface Copy { void copy(Object from, int fromIndex, Object to, int toIndex, int length); }

  @Case.Racy("[]")
  static final class Arraycopy_race extends Case.Pair {
    final int[] from = new int[3];
    final int[] to = new int[4];
    final Copy copy = System::arraycopy;
    void a() { copy.copy(from, 0, to, 1, 3); }
    void b() { to[3] = 4; }
  }

  static final class ArraycopyBeside_norace extends Case.Pair {
    final int[] from = new int[3];
    final int[] to = new int[4];
    final Copy copy = System::arraycopy;
    void a() { copy.copy(from, 0, to, 1, 3); }
    void b() { to[0] = 4; }
  }

  @Case.Racy("[]")
  static final class NewString_race extends Case.Pair {
    final char[] array = {'a', 'b'};
    final Function<char[], String> string = String::new;
    void a() { string.apply(array); }
    void b() { array[1] = 'c'; }
  }

  // ---- reflection ------------------------------------------------------------------------------------------------------------

  interface Getter { int get(Object o) throws Exception; }

  @Case.Racy("x")
  static final class FieldGet_race extends Case.Pair {
    static final Field X = ReflectionCases.field(FieldGet_race.class, "x");
    static final Getter GET = X::getInt;
    int x;
    void a() throws Exception { GET.get(this); }
    void b() { x = 2; }
  }
}
