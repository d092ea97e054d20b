// SPDX-License-Identifier: Apache-2.0
package semantics;

import sun.misc.Unsafe;

/** sun.misc.Unsafe, as libraries use it. */
final class UnsafeCases {
  static final Unsafe U = Order.unsafe();

  static long offset(Class<?> owner, String name) {
    try {
      return U.objectFieldOffset(owner.getDeclaredField(name));
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static final class Volatile_norace extends Case.Pair {
    int flag;
    static final long FLAG = offset(Volatile_norace.class, "flag");
    int x;
    void a() { x = 1; U.putIntVolatile(this, FLAG, 1); }
    void b() { if (U.getIntVolatile(this, FLAG) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class AfterVolatile_race extends Case.Pair {
    int flag;
    static final long FLAG = offset(AfterVolatile_race.class, "flag");
    int x;
    void a() { U.putIntVolatile(this, FLAG, 1); x = 1; }
    void b() { U.getIntVolatile(this, FLAG); x = 2; }
  }

  static final class Ordered_norace extends Case.Pair {
    volatile int flag;
    static final long FLAG = offset(Ordered_norace.class, "flag");
    int x;
    void a() { x = 1; U.putOrderedInt(this, FLAG, 1); }
    void b() { if (flag == 1) x = 2; }
  }

  /** As queues do that keep their fields on cache lines of their own. */
  static class Padded {
    long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19, p20, p21, p22, p23;
  }

  static class PaddedMore extends Padded {
    long q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15, q16, q17, q18, q19, q20, q21, q22, q23;
  }

  static final class Far extends PaddedMore {
    volatile long flag;
    static final long FLAG = offset(Far.class, "flag");
    volatile long other;
    static final long OTHER = offset(Far.class, "other");
  }

  static final class FarField_norace extends Case.Pair {
    final Far far = new Far();
    int x;
    void a() { x = 1; U.putOrderedLong(far, Far.FLAG, 1); }
    void b() { if (far.flag == 1) x = 2; }
  }

  static final class FarFieldRead_norace extends Case.Pair {
    final Far far = new Far();
    int x;
    void a() { x = 1; far.flag = 1; }
    void b() { if (U.getLongVolatile(far, Far.FLAG) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class OtherFarField_race extends Case.Pair {
    final Far far = new Far();
    int x;
    void a() { x = 1; U.putOrderedLong(far, Far.OTHER, 1); }
    void b() { if (far.flag == 0) x = 2; }
  }

  static final class CompareAndSwap_norace extends Case.Pair {
    volatile int flag;
    static final long FLAG = offset(CompareAndSwap_norace.class, "flag");
    int x;
    void a() { x = 1; U.compareAndSwapInt(this, FLAG, 0, 1); }
    void b() { if (U.compareAndSwapInt(this, FLAG, 1, 2)) x = 2; }
  }

  static final class CompareAndSwapLong_norace extends Case.Pair {
    volatile long flag;
    static final long FLAG = offset(CompareAndSwapLong_norace.class, "flag");
    int x;
    void a() { x = 1; U.compareAndSwapLong(this, FLAG, 0, 1); }
    void b() { if (flag == 1) x = 2; }
  }

  static final class GetAndAdd_norace extends Case.Pair {
    volatile int flag;
    static final long FLAG = offset(GetAndAdd_norace.class, "flag");
    int x;
    void a() { x = 1; U.getAndAddInt(this, FLAG, 1); }
    void b() { if (U.getAndAddInt(this, FLAG, 1) == 1) x = 2; }
  }

  static final class ObjectVolatile_norace extends Case.Pair {
    Object flag;
    static final long FLAG = offset(ObjectVolatile_norace.class, "flag");
    int x;
    void a() { x = 1; U.putObjectVolatile(this, FLAG, "a"); }
    void b() { if (U.getObjectVolatile(this, FLAG) != null) x = 2; }
  }

  static final class ArrayElement_norace extends Case.Pair {
    final Object[] table = new Object[4];
    static final long SECOND = Unsafe.ARRAY_OBJECT_BASE_OFFSET + Unsafe.ARRAY_OBJECT_INDEX_SCALE;
    int x;
    void a() { x = 1; U.putOrderedObject(table, SECOND, "a"); }
    void b() { if (U.getObjectVolatile(table, SECOND) != null) x = 2; }
  }

  @Case.Racy("x")
  static final class ArrayOtherElement_race extends Case.Pair {
    final int[] table = new int[4];
    static final long FIRST = Unsafe.ARRAY_INT_BASE_OFFSET;
    static final long SECOND = Unsafe.ARRAY_INT_BASE_OFFSET + Unsafe.ARRAY_INT_INDEX_SCALE;
    int x;
    void a() { x = 1; U.putIntVolatile(table, SECOND, 1); }
    void b() { U.getIntVolatile(table, FIRST); x = 2; }
  }

  @Case.Racy("flag")
  static final class PlainField_race extends Case.Pair {
    int flag;
    static final long FLAG = offset(PlainField_race.class, "flag");
    void a() { U.putInt(this, FLAG, 1); }
    void b() { U.putInt(this, FLAG, 2); }
  }

  @Case.Racy("flag")
  static final class PlainAndDirect_race extends Case.Pair {
    int flag;
    static final long FLAG = offset(PlainAndDirect_race.class, "flag");
    void a() { U.putInt(this, FLAG, 1); }
    void b() { flag = 2; }
  }

  @Case.Racy("[]")
  static final class PlainArray_race extends Case.Pair {
    final int[] table = new int[2];
    void a() { U.putInt(table, (long) Unsafe.ARRAY_INT_BASE_OFFSET, 1); }
    void b() { table[0] = 2; }
  }

  static final class ParkUnpark_norace extends Case.Handoff {
    int x;
    void a() { x = 1; U.unpark(threadB); }
    void b() { U.park(false, 0); x = 2; }
  }
}
