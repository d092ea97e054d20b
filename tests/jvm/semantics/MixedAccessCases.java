// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import sun.misc.Unsafe;

/**
 * One variable accessed in several ways: plainly, atomically through a handle or Unsafe, by reflection. An atomic access races with a
 * plain one that it is not ordered with, never with another atomic one.
 */
final class MixedAccessCases {
  static final Unsafe U = Order.unsafe();

  @Case.Racy("v")
  static final class AtomicReadPlainWrite_race extends Case.Pair {
    int v;
    int seen;
    static final VarHandle V = VarHandleCases.field(AtomicReadPlainWrite_race.class, "v", int.class);
    void a() { seen = (int) V.getVolatile(this); }
    void b() { v = 2; }
  }

  @Case.Racy("v")
  static final class AtomicWritePlainRead_race extends Case.Pair {
    int v;
    int seen;
    static final VarHandle V = VarHandleCases.field(AtomicWritePlainRead_race.class, "v", int.class);
    void a() { V.setRelease(this, 1); }
    void b() { seen = v; }
  }

  static final class AtomicReadPlainRead_norace extends Case.Pair {
    int v;
    int one;
    int two;
    static final VarHandle V = VarHandleCases.field(AtomicReadPlainRead_norace.class, "v", int.class);
    void a() { one = (int) V.getAcquire(this); }
    void b() { two = v; }
  }

  @Case.Racy("v")
  static final class OpaquePlain_race extends Case.Pair {
    int v;
    static final VarHandle V = VarHandleCases.field(OpaquePlain_race.class, "v", int.class);
    void a() { V.setOpaque(this, 1); }
    void b() { V.set(this, 2); }
  }

  @Case.Racy("v")
  static final class UpdatePlainRead_race extends Case.Pair {
    long v;
    long seen;
    static final VarHandle V = VarHandleCases.field(UpdatePlainRead_race.class, "v", long.class);
    void a() { long old = (long) V.getAndAdd(this, 1L); }
    void b() { seen = v; }
  }

  @Case.Racy("v")
  static final class CompareAndSetPlainRead_race extends Case.Pair {
    int v;
    int seen;
    static final VarHandle V = VarHandleCases.field(CompareAndSetPlainRead_race.class, "v", int.class);
    void a() { if (!V.compareAndSet(this, 0, 1)) throw new AssertionError(); }
    void b() { seen = v; }
  }

  static final class FailedCompareAndSetPlainRead_norace extends Case.Pair {
    int v;
    int seen;
    static final VarHandle V = VarHandleCases.field(FailedCompareAndSetPlainRead_norace.class, "v", int.class);
    void a() { if (V.compareAndSet(this, 5, 1)) throw new AssertionError(); }
    void b() { seen = v; }
  }

  @Case.Racy("v")
  static final class FailedCompareAndSetPlainWrite_race extends Case.Pair {
    int v;
    static final VarHandle V = VarHandleCases.field(FailedCompareAndSetPlainWrite_race.class, "v", int.class);
    void a() { if (V.compareAndSet(this, 5, 1)) throw new AssertionError(); }
    void b() { v = 2; }
  }

  @Case.Racy("v")
  static final class CompareAndExchangePlainWrite_race extends Case.Pair {
    int v;
    static final VarHandle V = VarHandleCases.field(CompareAndExchangePlainWrite_race.class, "v", int.class);
    void a() { int old = (int) V.compareAndExchange(this, 0, 1); }
    void b() { v = 2; }
  }

  /** The atomic accesses of the variable order its plain ones. */
  static final class ReleasedByItself_norace extends Case.Pair {
    int v;
    int seen;
    static final VarHandle V = VarHandleCases.field(ReleasedByItself_norace.class, "v", int.class);
    void a() { seen = v; V.setRelease(this, 1); }
    void b() { if ((int) V.getAcquire(this) == 1) v = 8; }
  }

  static final class TakenByCompareAndSet_norace extends Case.Pair {
    int v;
    int seen;
    static final VarHandle V = VarHandleCases.field(TakenByCompareAndSet_norace.class, "v", int.class);
    void a() { seen = v; V.setVolatile(this, 1); }
    void b() { if (V.compareAndSet(this, 1, 2)) v = 8; }
  }

  static final class GivenByCompareAndSet_norace extends Case.Pair {
    int v;
    int seen;
    static final VarHandle V = VarHandleCases.field(GivenByCompareAndSet_norace.class, "v", int.class);
    void a() { V.compareAndSet(this, 0, 1); }
    void b() { if ((int) V.getAcquire(this) == 1) seen = v; }
  }

  static final class GivenByUpdate_norace extends Case.Pair {
    int v;
    static final VarHandle V = VarHandleCases.field(GivenByUpdate_norace.class, "v", int.class);
    void a() { int old = (int) V.getAndAdd(this, 1); }
    void b() { if ((int) V.getAndAdd(this, 1) == 1) v = 9; }
  }

  /** A plain read right behind an atomic one of the same thread. */
  @Case.Racy("v")
  static final class PlainBehindAtomic_race extends Case.Pair {
    int v;
    int seen;
    static final VarHandle V = VarHandleCases.field(PlainBehindAtomic_race.class, "v", int.class);
    void a() { seen = (int) V.getOpaque(this) + v; }
    void b() { V.setOpaque(this, 2); }
  }

  /** Ordered plain accesses of three threads' worth of epochs, with atomic ones between them. */
  static final class LockedAndAtomic_norace extends Case.Pair {
    int v;
    static final VarHandle V = VarHandleCases.field(LockedAndAtomic_norace.class, "v", int.class);
    void a() { synchronized (this) { v = 1; V.setOpaque(this, 2); v++; } }
    void b() { synchronized (this) { v++; V.setOpaque(this, 3); int old = (int) V.getAndAdd(this, 1); v++; } }
  }

  static final class StaticVolatileHandleAndDirect_norace extends Case.Pair {
    static volatile int flag;
    int x;
    static final VarHandle FLAG = VarHandleCases.staticField(StaticVolatileHandleAndDirect_norace.class, "flag", int.class);
    void setup() { flag = 0; }
    void a() { x = 1; FLAG.setVolatile(1); }
    void b() { if (flag == 1) x = 2; }
  }

  static final class StaticVolatileDirectAndHandle_norace extends Case.Pair {
    static volatile int flag;
    int x;
    static final VarHandle FLAG = VarHandleCases.staticField(StaticVolatileDirectAndHandle_norace.class, "flag", int.class);
    void setup() { flag = 0; }
    void a() { x = 1; flag = 1; }
    void b() { if ((int) FLAG.getAcquire() == 1) x = 2; }
  }

  @Case.Racy("[]")
  static final class ElementCompareAndSetPlainRead_race extends Case.Pair {
    final long[] array = new long[3];
    long seen;
    static final VarHandle V = MethodHandles.arrayElementVarHandle(long[].class);
    void a() { V.compareAndSet(array, 2, 0L, 1L); }
    void b() { seen = array[2]; }
  }

  static final class ElementOther_norace extends Case.Pair {
    final long[] array = new long[3];
    long seen;
    static final VarHandle V = MethodHandles.arrayElementVarHandle(long[].class);
    void a() { V.setVolatile(array, 1, 1L); }
    void b() { seen = array[2]; }
  }

  // ---- Unsafe -----------------------------------------------------------------------------------------------------------------

  @Case.Racy("v")
  static final class UnsafeOrderedAndDirect_race extends Case.Pair {
    int v;
    static final long V = UnsafeCases.offset(UnsafeOrderedAndDirect_race.class, "v");
    void a() { U.putOrderedInt(this, V, 1); }
    void b() { v = 2; }
  }

  @Case.Racy("v")
  static final class UnsafeSwapAndDirect_race extends Case.Pair {
    Object v;
    Object seen;
    static final long V = UnsafeCases.offset(UnsafeSwapAndDirect_race.class, "v");
    void a() { U.compareAndSwapObject(this, V, null, "a"); }
    void b() { seen = v; }
  }

  static final class UnsafeSwapItself_norace extends Case.Pair {
    Object v;
    static final long V = UnsafeCases.offset(UnsafeSwapItself_norace.class, "v");
    void a() { U.compareAndSwapObject(this, V, null, "a"); }
    void b() { U.getAndSetObject(this, V, "b"); }
  }

  @Case.Racy("v")
  static final class UnsafeStatic_race extends Case.Pair {
    static int v;
    static final Field FIELD = ReflectionCases.field(UnsafeStatic_race.class, "v");
    static final Object BASE = U.staticFieldBase(FIELD);
    static final long V = U.staticFieldOffset(FIELD);
    void a() { U.putInt(BASE, V, 1); }
    void b() { v = 2; }
  }

  /** Four bytes at once. */
  @Case.Racy("[]")
  static final class UnsafeWide_race extends Case.Pair {
    final byte[] bytes = new byte[16];
    void a() { U.putInt(bytes, (long) Unsafe.ARRAY_BYTE_BASE_OFFSET + 4, 1); }
    void b() { bytes[7] = 2; }
  }

  static final class UnsafeWide_norace extends Case.Pair {
    final byte[] bytes = new byte[16];
    void a() { U.putInt(bytes, (long) Unsafe.ARRAY_BYTE_BASE_OFFSET + 4, 1); }
    void b() { bytes[3] = 2; bytes[8] = 3; }
  }

  static final class UnsafeOffHeap_norace extends Case.Pair {
    static final long ADDRESS = U.allocateMemory(16);
    int x;
    void setup() { U.setMemory(ADDRESS, 16, (byte) 0); }
    void a() { x = 1; U.putIntVolatile(null, ADDRESS, 1); }
    void b() { if (U.getIntVolatile(null, ADDRESS) == 1) x = 2; }
  }

  static final class UnsafeLocked_norace extends Case.Pair {
    int v;
    static final long V = UnsafeCases.offset(UnsafeLocked_norace.class, "v");
    void a() { synchronized (this) { U.putInt(this, V, U.getInt(this, V) + 1); } }
    void b() { synchronized (this) { v++; } }
  }

  // ---- reflection -------------------------------------------------------------------------------------------------------------

  /** A write that is refused has not taken place. */
  static final class RefusedSet_norace extends Case.Pair {
    int v;
    int seen;
    static final Field V = ReflectionCases.field(RefusedSet_norace.class, "v");
    void a() throws Exception { try { V.set(this, "no number"); throw new AssertionError(); } catch (IllegalArgumentException expected) { } }
    void b() { seen = v; }
  }

  static final class RefusedElement_norace extends Case.Pair {
    final Object[] array = new String[1];
    Object seen;
    void a() { try { Array.set(array, 0, 1); throw new AssertionError(); } catch (IllegalArgumentException expected) { } }
    void b() { seen = array[0]; }
  }

  /** One call for all fields, as libraries do it: the variable is the one that was accessed. */
  @Case.Racy("second")
  static final class OneCallManyFields_race extends Case.Pair {
    int first;
    int second;
    static final Field FIRST = ReflectionCases.field(OneCallManyFields_race.class, "first");
    static final Field SECOND = ReflectionCases.field(OneCallManyFields_race.class, "second");
    void set(Field field, int value) throws Exception { field.setInt(this, value); }
    void a() throws Exception { synchronized (this) { set(FIRST, 1); } set(SECOND, 1); }
    void b() throws Exception { synchronized (this) { set(FIRST, 2); } second = 2; }
  }

  @Case.Racy("v")
  static final class InheritedByReflection_race extends Case.Pair {
    static class Base { int v; }
    static final class Derived extends Base { }
    final Derived object = new Derived();
    static final Field V = ReflectionCases.field(Base.class, "v");
    void a() throws Exception { V.setInt(object, 1); }
    void b() { object.v = 2; }
  }

  static final class OtherInstance_norace extends Case.Pair {
    static final class Box { int v; }
    final Box one = new Box();
    final Box two = new Box();
    static final Field V = ReflectionCases.field(Box.class, "v");
    void a() throws Exception { V.setInt(one, 1); }
    void b() throws Exception { V.setInt(two, 1); }
  }

  /** Reflection and a handle synchronise through the same volatile field. */
  static final class ReflectionThenHandle_norace extends Case.Pair {
    volatile int flag;
    int x;
    static final Field F = ReflectionCases.field(ReflectionThenHandle_norace.class, "flag");
    static final VarHandle H = VarHandleCases.field(ReflectionThenHandle_norace.class, "flag", int.class);
    void a() throws Exception { x = 1; F.setInt(this, 1); }
    void b() { if ((int) H.getAcquire(this) == 1) x = 2; }
  }
}
