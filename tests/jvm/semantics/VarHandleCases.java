// SPDX-License-Identifier: Apache-2.0
// Long because every case needs sites of its own.
package semantics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Every access mode of a VarHandle, on a field, a static field and an array element. Each handle is looked up by the case itself; the
 * flag behind it is not volatile, so that the mode alone decides.
 */
final class VarHandleCases {
  static VarHandle field(Class<?> owner, String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static VarHandle staticField(Class<?> owner, String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).findStaticVarHandle(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static final class FieldVolatile_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldVolatile_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; FLAG.setVolatile(this, 1); }
    void b() { if ((int) FLAG.getVolatile(this) == 1) x = 2; }
  }

  static final class FieldReleaseAcquire_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldReleaseAcquire_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; FLAG.setRelease(this, 1); }
    void b() { if ((int) FLAG.getAcquire(this) == 1) x = 2; }
  }

  static final class FieldReleaseVolatile_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldReleaseVolatile_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; FLAG.setRelease(this, 1); }
    void b() { if ((int) FLAG.getVolatile(this) == 1) x = 2; }
  }

  static final class FieldVolatileAcquire_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldVolatileAcquire_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; FLAG.setVolatile(this, 1); }
    void b() { if ((int) FLAG.getAcquire(this) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class FieldOpaque_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldOpaque_race.class, "flag", int.class);
    int x;
    void a() { x = 1; FLAG.setOpaque(this, 1); }
    void b() { int seen = (int) FLAG.getOpaque(this); x = 2; }
  }

  @Case.Racy("x")
  static final class FieldReleaseOpaque_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldReleaseOpaque_race.class, "flag", int.class);
    int x;
    void a() { x = 1; FLAG.setRelease(this, 1); }
    void b() { int seen = (int) FLAG.getOpaque(this); x = 2; }
  }

  @Case.Racy("x")
  static final class FieldOpaqueAcquire_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldOpaqueAcquire_race.class, "flag", int.class);
    int x;
    void a() { x = 1; FLAG.setOpaque(this, 1); }
    void b() { int seen = (int) FLAG.getAcquire(this); x = 2; }
  }

  @Case.Racy("flag")
  static final class FieldPlainItself_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldPlainItself_race.class, "flag", int.class);
    int x;
    void a() { FLAG.set(this, 1); }
    void b() { FLAG.set(this, 2); }
  }

  @Case.Racy("flag")
  static final class FieldPlainRead_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldPlainRead_race.class, "flag", int.class);
    int x;
    void a() { FLAG.set(this, 1); }
    void b() { x = (int) FLAG.get(this); }
  }

  @Case.Racy("flag")
  static final class FieldPlainAndDirect_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldPlainAndDirect_race.class, "flag", int.class);
    int x;
    void a() { FLAG.set(this, 1); }
    void b() { flag = 2; }
  }

  @Case.Racy("flag")
  static final class FieldVolatileAndDirect_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldVolatileAndDirect_race.class, "flag", int.class);
    int x;
    void a() { FLAG.setVolatile(this, 1); }
    void b() { flag = 2; }
  }

  static final class FieldVolatileItself_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldVolatileItself_norace.class, "flag", int.class);
    int x;
    void a() { FLAG.setVolatile(this, 1); }
    void b() { FLAG.setVolatile(this, 2); }
  }

  static final class FieldOpaqueItself_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldOpaqueItself_norace.class, "flag", int.class);
    int x;
    void a() { FLAG.setOpaque(this, 1); }
    void b() { FLAG.setOpaque(this, 2); }
  }

  static final class FieldCompareAndSet_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldCompareAndSet_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; FLAG.compareAndSet(this, 0, 1); }
    void b() { if (FLAG.compareAndSet(this, 1, 2)) x = 2; }
  }

  static final class FieldGetAndAdd_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldGetAndAdd_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndAdd(this, 1); }
    void b() { if ((int) FLAG.getAndAdd(this, 1) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class FieldAfterVolatile_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(FieldAfterVolatile_race.class, "flag", int.class);
    int x;
    void a() { FLAG.setVolatile(this, 1); x = 1; }
    void b() { int seen = (int) FLAG.getVolatile(this); x = 2; }
  }

  static final class StaticVolatile_norace extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticVolatile_norace.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { x = 1; FLAG.setVolatile(1); }
    void b() { if ((int) FLAG.getVolatile() == 1) x = 2; }
  }

  static final class StaticReleaseAcquire_norace extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticReleaseAcquire_norace.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { x = 1; FLAG.setRelease(1); }
    void b() { if ((int) FLAG.getAcquire() == 1) x = 2; }
  }

  static final class StaticReleaseVolatile_norace extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticReleaseVolatile_norace.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { x = 1; FLAG.setRelease(1); }
    void b() { if ((int) FLAG.getVolatile() == 1) x = 2; }
  }

  static final class StaticVolatileAcquire_norace extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticVolatileAcquire_norace.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { x = 1; FLAG.setVolatile(1); }
    void b() { if ((int) FLAG.getAcquire() == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class StaticOpaque_race extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticOpaque_race.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { x = 1; FLAG.setOpaque(1); }
    void b() { int seen = (int) FLAG.getOpaque(); x = 2; }
  }

  @Case.Racy("x")
  static final class StaticReleaseOpaque_race extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticReleaseOpaque_race.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { x = 1; FLAG.setRelease(1); }
    void b() { int seen = (int) FLAG.getOpaque(); x = 2; }
  }

  @Case.Racy("x")
  static final class StaticOpaqueAcquire_race extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticOpaqueAcquire_race.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { x = 1; FLAG.setOpaque(1); }
    void b() { int seen = (int) FLAG.getAcquire(); x = 2; }
  }

  @Case.Racy("flag")
  static final class StaticPlainItself_race extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticPlainItself_race.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { FLAG.set(1); }
    void b() { FLAG.set(2); }
  }

  @Case.Racy("flag")
  static final class StaticPlainRead_race extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticPlainRead_race.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { FLAG.set(1); }
    void b() { x = (int) FLAG.get(); }
  }

  @Case.Racy("flag")
  static final class StaticPlainAndDirect_race extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticPlainAndDirect_race.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { FLAG.set(1); }
    void b() { flag = 2; }
  }

  @Case.Racy("flag")
  static final class StaticVolatileAndDirect_race extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticVolatileAndDirect_race.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { FLAG.setVolatile(1); }
    void b() { flag = 2; }
  }

  static final class StaticVolatileItself_norace extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticVolatileItself_norace.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { FLAG.setVolatile(1); }
    void b() { FLAG.setVolatile(2); }
  }

  static final class StaticOpaqueItself_norace extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticOpaqueItself_norace.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { FLAG.setOpaque(1); }
    void b() { FLAG.setOpaque(2); }
  }

  static final class StaticCompareAndSet_norace extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticCompareAndSet_norace.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { x = 1; FLAG.compareAndSet(0, 1); }
    void b() { if (FLAG.compareAndSet(1, 2)) x = 2; }
  }

  static final class StaticGetAndAdd_norace extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticGetAndAdd_norace.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndAdd(1); }
    void b() { if ((int) FLAG.getAndAdd(1) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class StaticAfterVolatile_race extends Case.Pair {
    static int flag;
    static final VarHandle FLAG = staticField(StaticAfterVolatile_race.class, "flag", int.class);
    void setup() { flag = 0; }
    int x;
    void a() { FLAG.setVolatile(1); x = 1; }
    void b() { int seen = (int) FLAG.getVolatile(); x = 2; }
  }

  static final class ArrayVolatile_norace extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { x = 1; FLAG.setVolatile(flags, 1, 1); }
    void b() { if ((int) FLAG.getVolatile(flags, 1) == 1) x = 2; }
  }

  static final class ArrayReleaseAcquire_norace extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { x = 1; FLAG.setRelease(flags, 1, 1); }
    void b() { if ((int) FLAG.getAcquire(flags, 1) == 1) x = 2; }
  }

  static final class ArrayReleaseVolatile_norace extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { x = 1; FLAG.setRelease(flags, 1, 1); }
    void b() { if ((int) FLAG.getVolatile(flags, 1) == 1) x = 2; }
  }

  static final class ArrayVolatileAcquire_norace extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { x = 1; FLAG.setVolatile(flags, 1, 1); }
    void b() { if ((int) FLAG.getAcquire(flags, 1) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class ArrayOpaque_race extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { x = 1; FLAG.setOpaque(flags, 1, 1); }
    void b() { int seen = (int) FLAG.getOpaque(flags, 1); x = 2; }
  }

  @Case.Racy("x")
  static final class ArrayReleaseOpaque_race extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { x = 1; FLAG.setRelease(flags, 1, 1); }
    void b() { int seen = (int) FLAG.getOpaque(flags, 1); x = 2; }
  }

  @Case.Racy("x")
  static final class ArrayOpaqueAcquire_race extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { x = 1; FLAG.setOpaque(flags, 1, 1); }
    void b() { int seen = (int) FLAG.getAcquire(flags, 1); x = 2; }
  }

  @Case.Racy("[]")
  static final class ArrayPlainItself_race extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { FLAG.set(flags, 1, 1); }
    void b() { FLAG.set(flags, 1, 2); }
  }

  @Case.Racy("[]")
  static final class ArrayPlainRead_race extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { FLAG.set(flags, 1, 1); }
    void b() { x = (int) FLAG.get(flags, 1); }
  }

  @Case.Racy("[]")
  static final class ArrayPlainAndDirect_race extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { FLAG.set(flags, 1, 1); }
    void b() { flags[1] = 2; }
  }

  @Case.Racy("[]")
  static final class ArrayVolatileAndDirect_race extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { FLAG.setVolatile(flags, 1, 1); }
    void b() { flags[1] = 2; }
  }

  static final class ArrayVolatileItself_norace extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { FLAG.setVolatile(flags, 1, 1); }
    void b() { FLAG.setVolatile(flags, 1, 2); }
  }

  static final class ArrayOpaqueItself_norace extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { FLAG.setOpaque(flags, 1, 1); }
    void b() { FLAG.setOpaque(flags, 1, 2); }
  }

  static final class ArrayCompareAndSet_norace extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { x = 1; FLAG.compareAndSet(flags, 1, 0, 1); }
    void b() { if (FLAG.compareAndSet(flags, 1, 1, 2)) x = 2; }
  }

  static final class ArrayGetAndAdd_norace extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndAdd(flags, 1, 1); }
    void b() { if ((int) FLAG.getAndAdd(flags, 1, 1) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class ArrayAfterVolatile_race extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { FLAG.setVolatile(flags, 1, 1); x = 1; }
    void b() { int seen = (int) FLAG.getVolatile(flags, 1); x = 2; }
  }

  @Case.Racy("x")
  static final class ArrayOtherElement_race extends Case.Pair {
    final int[] flags = new int[2];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);
    int x;
    void a() { x = 1; FLAG.setVolatile(flags, 1, 1); }
    void b() { int seen = (int) FLAG.getVolatile(flags, 0); x = 2; }
  }

  static final class CompareAndSetFails_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(CompareAndSetFails_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; FLAG.setRelease(this, 1); }
    void b() { if (!FLAG.compareAndSet(this, 0, 0)) x = 2; }
  }

  static final class WeakCompareAndSet_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(WeakCompareAndSet_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; while (!FLAG.weakCompareAndSet(this, (int) FLAG.getOpaque(this), 1)) { } }
    void b() { if ((int) FLAG.getAcquire(this) == 1) x = 2; }
  }

  @Case.Racy({"x", "flag"})
  static final class WeakCompareAndSetPlain_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(WeakCompareAndSetPlain_race.class, "flag", int.class);
    int x;
    void a() { x = 1; while (!FLAG.weakCompareAndSetPlain(this, (int) FLAG.getOpaque(this), 1)) { } }
    void b() { while (!FLAG.weakCompareAndSetPlain(this, (int) FLAG.getOpaque(this), 2)) { } x = 2; }
  }

  static final class WeakCompareAndSetReleaseThenAcquire_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(WeakCompareAndSetReleaseThenAcquire_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; while ((int) FLAG.getOpaque(this) == 0 && !FLAG.weakCompareAndSetRelease(this, 0, 1)) { } }
    void b() { if ((int) FLAG.getOpaque(this) == 1) { while (!FLAG.weakCompareAndSetAcquire(this, 1, 2)) { } x = 2; } }
  }

  @Case.Racy("x")
  static final class WeakCompareAndSetAcquireOnly_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(WeakCompareAndSetAcquireOnly_race.class, "flag", int.class);
    int x;
    void a() { x = 1; while (!FLAG.weakCompareAndSetAcquire(this, (int) FLAG.getOpaque(this), 1)) { } }
    void b() { int seen = (int) FLAG.getAcquire(this); x = 2; while (!FLAG.weakCompareAndSetAcquire(this, (int) FLAG.getOpaque(this), 2)) { } }
  }

  @Case.Racy("x")
  static final class WeakCompareAndSetReleaseOnly_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(WeakCompareAndSetReleaseOnly_race.class, "flag", int.class);
    int x;
    void a() { while (!FLAG.weakCompareAndSetRelease(this, (int) FLAG.getOpaque(this), 1)) { } x = 1; while (!FLAG.weakCompareAndSetRelease(this, (int) FLAG.getOpaque(this), 1)) { } }
    void b() { while (!FLAG.weakCompareAndSetRelease(this, (int) FLAG.getOpaque(this), 2)) { } x = 2; while (!FLAG.weakCompareAndSetRelease(this, (int) FLAG.getOpaque(this), 2)) { } }
  }

  static final class CompareAndExchange_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(CompareAndExchange_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.compareAndExchange(this, 0, 1); }
    void b() { if ((int) FLAG.compareAndExchange(this, 1, 2) == 1) x = 2; }
  }

  static final class CompareAndExchangeReleaseAcquire_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(CompareAndExchangeReleaseAcquire_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.compareAndExchangeRelease(this, 0, 1); }
    void b() { if ((int) FLAG.compareAndExchangeAcquire(this, 1, 2) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class CompareAndExchangeReleaseOnly_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(CompareAndExchangeReleaseOnly_race.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.compareAndExchangeRelease(this, 0, 1); }
    void b() { int old = (int) FLAG.compareAndExchangeRelease(this, 1, 2); x = 2; }
  }

  @Case.Racy("x")
  static final class CompareAndExchangeAcquireOnly_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(CompareAndExchangeAcquireOnly_race.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.compareAndExchangeAcquire(this, 0, 1); }
    void b() { int old = (int) FLAG.compareAndExchangeAcquire(this, 1, 2); x = 2; }
  }

  static final class GetAndSet_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(GetAndSet_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndSet(this, 1); }
    void b() { if ((int) FLAG.getAndSet(this, 2) == 1) x = 2; }
  }

  static final class GetAndSetReleaseAcquire_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(GetAndSetReleaseAcquire_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndSetRelease(this, 1); }
    void b() { if ((int) FLAG.getAndSetAcquire(this, 2) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class GetAndSetReleaseOnly_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(GetAndSetReleaseOnly_race.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndSetRelease(this, 1); }
    void b() { int old = (int) FLAG.getAndSetRelease(this, 2); x = 2; }
  }

  @Case.Racy("x")
  static final class GetAndSetAcquireOnly_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(GetAndSetAcquireOnly_race.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndSetAcquire(this, 1); }
    void b() { int old = (int) FLAG.getAndSetAcquire(this, 2); x = 2; }
  }

  static final class GetAndAddReleaseAcquire_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(GetAndAddReleaseAcquire_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndAddRelease(this, 1); }
    void b() { if ((int) FLAG.getAndAddAcquire(this, 1) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class GetAndAddReleaseOnly_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(GetAndAddReleaseOnly_race.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndAddRelease(this, 1); }
    void b() { int old = (int) FLAG.getAndAddRelease(this, 1); x = 2; }
  }

  static final class GetAndBitwiseOr_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(GetAndBitwiseOr_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndBitwiseOr(this, 1); }
    void b() { if ((int) FLAG.getAndBitwiseOr(this, 1) == 1) x = 2; }
  }

  static final class GetAndBitwiseOrReleaseAcquire_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(GetAndBitwiseOrReleaseAcquire_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndBitwiseOrRelease(this, 1); }
    void b() { if ((int) FLAG.getAndBitwiseOrAcquire(this, 1) == 1) x = 2; }
  }

  static final class GetAndBitwiseXor_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(GetAndBitwiseXor_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndBitwiseXor(this, 1); }
    void b() { if ((int) FLAG.getAndBitwiseXor(this, 1) == 1) x = 2; }
  }

  static final class GetAndBitwiseXorReleaseAcquire_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(GetAndBitwiseXorReleaseAcquire_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndBitwiseXorRelease(this, 1); }
    void b() { if ((int) FLAG.getAndBitwiseXorAcquire(this, 1) == 1) x = 2; }
  }

  static final class GetAndBitwiseAnd_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(GetAndBitwiseAnd_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndBitwiseAnd(this, 1); FLAG.setVolatile(this, 5); }
    void b() { if ((int) FLAG.getAndBitwiseAnd(this, 4) == 5) x = 2; }
  }

  @Case.Racy("x")
  static final class GetAndBitwiseAndAcquireOnly_race extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(GetAndBitwiseAndAcquireOnly_race.class, "flag", int.class);
    int x;
    void a() { x = 1; int old = (int) FLAG.getAndBitwiseAndAcquire(this, 1); }
    void b() { int old = (int) FLAG.getAndBitwiseAndAcquire(this, 4); x = 2; }
  }

  @Case.Racy("x")
  static final class VolatileFieldOpaque_race extends Case.Pair {
    volatile int flag;
    static final VarHandle FLAG = field(VolatileFieldOpaque_race.class, "flag", int.class);
    int x;
    void a() { x = 1; FLAG.setOpaque(this, 1); }
    void b() { int seen = (int) FLAG.getOpaque(this); x = 2; }
  }

  @Case.Racy({"x", "flag"})
  static final class VolatileFieldPlainMode_race extends Case.Pair {
    volatile int flag;
    static final VarHandle FLAG = field(VolatileFieldPlainMode_race.class, "flag", int.class);
    int x;
    void a() { x = 1; FLAG.set(this, 1); }
    void b() { int seen = (int) FLAG.get(this); x = 2; }
  }

  static final class HandleAndVolatileField_norace extends Case.Pair {
    volatile int flag;
    static final VarHandle FLAG = field(HandleAndVolatileField_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; FLAG.setRelease(this, 1); }
    void b() { if (flag == 1) x = 2; }
  }

  static final class VolatileFieldAndHandle_norace extends Case.Pair {
    volatile int flag;
    static final VarHandle FLAG = field(VolatileFieldAndHandle_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; flag = 1; }
    void b() { if ((int) FLAG.getAcquire(this) == 1) x = 2; }
  }

  static final class LongField_norace extends Case.Pair {
    long flag;
    static final VarHandle FLAG = field(LongField_norace.class, "flag", long.class);
    int x;
    void a() { x = 1; FLAG.setVolatile(this, 1L); }
    void b() { if ((long) FLAG.getVolatile(this) == 1L) x = 2; }
  }

  static final class DoubleField_norace extends Case.Pair {
    double flag;
    static final VarHandle FLAG = field(DoubleField_norace.class, "flag", double.class);
    int x;
    void a() { x = 1; FLAG.setVolatile(this, 1.0); }
    void b() { if ((double) FLAG.getVolatile(this) == 1.0) x = 2; }
  }

  static final class BooleanField_norace extends Case.Pair {
    boolean flag;
    static final VarHandle FLAG = field(BooleanField_norace.class, "flag", boolean.class);
    int x;
    void a() { x = 1; FLAG.setVolatile(this, true); }
    void b() { if ((boolean) FLAG.getVolatile(this) == true) x = 2; }
  }

  static final class ByteField_norace extends Case.Pair {
    byte flag;
    static final VarHandle FLAG = field(ByteField_norace.class, "flag", byte.class);
    int x;
    void a() { x = 1; FLAG.setVolatile(this, (byte) 1); }
    void b() { if ((byte) FLAG.getVolatile(this) == (byte) 1) x = 2; }
  }

  static final class CharField_norace extends Case.Pair {
    char flag;
    static final VarHandle FLAG = field(CharField_norace.class, "flag", char.class);
    int x;
    void a() { x = 1; FLAG.setVolatile(this, '1'); }
    void b() { if ((char) FLAG.getVolatile(this) == '1') x = 2; }
  }

  static final class ShortField_norace extends Case.Pair {
    short flag;
    static final VarHandle FLAG = field(ShortField_norace.class, "flag", short.class);
    int x;
    void a() { x = 1; FLAG.setVolatile(this, (short) 1); }
    void b() { if ((short) FLAG.getVolatile(this) == (short) 1) x = 2; }
  }

  static final class FloatField_norace extends Case.Pair {
    float flag;
    static final VarHandle FLAG = field(FloatField_norace.class, "flag", float.class);
    int x;
    void a() { x = 1; FLAG.setVolatile(this, 1f); }
    void b() { if ((float) FLAG.getVolatile(this) == 1f) x = 2; }
  }

  static final class ReferenceField_norace extends Case.Pair {
    int[] box;
    static final VarHandle BOX = field(ReferenceField_norace.class, "box", int[].class);
    int sum;
    void a() { int[] fresh = {0}; fresh[0] = 1; BOX.setRelease(this, fresh); }
    void b() { int[] found = (int[]) BOX.getAcquire(this); if (found != null) sum = found[0]; }
  }

  static final class InheritedField_norace extends Case.Pair {
    static class Base { int flag; }
    static final class Derived extends Base { }
    static final VarHandle FLAG = field(Base.class, "flag", int.class);
    final Derived object = new Derived();
    int x;
    void a() { x = 1; FLAG.setRelease(object, 1); }
    void b() { if ((int) FLAG.getAcquire((Base) object) == 1) x = 2; }
  }

  static final class ReferenceArray_norace extends Case.Pair {
    final String[] flags = new String[3];
    static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(String[].class);
    int x;
    void a() { x = 1; FLAG.setRelease(flags, 2, "a"); }
    void b() { if ((String) FLAG.getAcquire(flags, 2) != null) x = 2; }
  }

  static final class ByteArrayView_norace extends Case.Pair {
    final java.nio.ByteBuffer bytes = java.nio.ByteBuffer.allocateDirect(16);
    static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, java.nio.ByteOrder.nativeOrder());
    int x;
    void a() { x = 1; INT.setVolatile(bytes, 8, 1); }
    void b() { if ((int) INT.getVolatile(bytes, 8) == 1) x = 2; }
  }

  /** A fence before a store that is seen, and one after the load that sees it, order what is around them. */
  static final class Fences_norace extends Case.Pair {
    int flag;
    static final VarHandle FLAG = field(Fences_norace.class, "flag", int.class);
    int x;
    void a() { x = 1; VarHandle.releaseFence(); FLAG.setOpaque(this, 1); }
    void b() { if ((int) FLAG.getOpaque(this) == 1) { VarHandle.acquireFence(); x = 2; } }
  }

  @Case.Racy("x")
  static final class FencesAlone_race extends Case.Pair {
    int x;
    void a() { VarHandle.fullFence(); x = 1; VarHandle.fullFence(); }
    void b() { VarHandle.fullFence(); x = 2; VarHandle.fullFence(); }
  }

  /** A handle that is bound into a method handle: the call site no longer shows the mode. */
  static final class ToMethodHandle_norace extends Case.Pair {
    int flag;
    static final java.lang.invoke.MethodHandle SET = field(ToMethodHandle_norace.class, "flag", int.class).toMethodHandle(VarHandle.AccessMode.SET_RELEASE);
    static final java.lang.invoke.MethodHandle GET = field(ToMethodHandle_norace.class, "flag", int.class).toMethodHandle(VarHandle.AccessMode.GET_ACQUIRE);
    int x;
    void a() throws Exception { x = 1; try { SET.invokeExact(this, 1); } catch (Throwable e) { throw new AssertionError(e); } }
    void b() throws Exception { int seen; try { seen = (int) GET.invokeExact(this); } catch (Throwable e) { throw new AssertionError(e); } if (seen == 1) x = 2; }
  }

  /** Both threads use each handle for the first time, and at once: neither may take it for a handle that orders nothing. */
  static final class FirstUse_norace extends Case.Solo {
    static final int HANDLES = 400;
    static final class Box { int flag; int x; }
    int at = -1;
    static final VarHandle AT = field(FirstUse_norace.class, "at", int.class);
    void run() throws Exception {
      Box[] boxes = new Box[HANDLES];
      VarHandle[] handles = new VarHandle[HANDLES];
      for (int i = 0; i < HANDLES; i++) {
        boxes[i] = new Box();
        handles[i] = field(Box.class, "flag", int.class);
      }
      Thread reader = new Thread(() -> {
        for (int i = 0; i < HANDLES; i++) {
          AT.setOpaque(this, i);
          while ((int) handles[i].getVolatile(boxes[i]) == 0) Thread.yield();
          boxes[i].x++;
        }
      });
      reader.start();
      for (int i = 0; i < HANDLES; i++) {
        while ((int) AT.getOpaque(this) != i) Thread.onSpinWait();
        boxes[i].x = 1;
        handles[i].setVolatile(boxes[i], 1);
      }
      reader.join();
    }
  }
}
