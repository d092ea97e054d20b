// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Volatile fields of a byte each, which lie side by side in four bytes of the object, through handles and by instructions; small elements. */
final class SmallFieldCases {
  static final VarHandle BOOLEANS = MethodHandles.arrayElementVarHandle(boolean[].class);
  static final VarHandle SHORTS = MethodHandles.arrayElementVarHandle(short[].class);

  /** Four flags; one of them lies where an int could, the others do not. */
  abstract static class Flags extends Case.Pair {
    volatile boolean first;
    volatile boolean second;
    volatile boolean third;
    volatile boolean fourth;
    static final VarHandle FIRST = VarHandleCases.field(Flags.class, "first", boolean.class);
    static final VarHandle SECOND = VarHandleCases.field(Flags.class, "second", boolean.class);
    static final VarHandle THIRD = VarHandleCases.field(Flags.class, "third", boolean.class);
    static final VarHandle FOURTH = VarHandleCases.field(Flags.class, "fourth", boolean.class);
  }

  static final class HandleThenField_norace extends Flags {
    int x;
    void a() {
      x = 1;
      FIRST.setRelease(this, true);
      SECOND.setRelease(this, true);
      THIRD.setRelease(this, true);
      FOURTH.setRelease(this, true);
    }
    void b() { if (fourth) x = 2; }
  }

  static final class HandleThenSecondField_norace extends Flags {
    int x;
    void a() {
      FIRST.setRelease(this, false);
      FOURTH.setRelease(this, false);
      x = 1;
      SECOND.setRelease(this, true);
    }
    void b() { if (second) x = 2; }
  }

  static final class FieldThenHandle_norace extends Flags {
    int x;
    void a() { x = 1; third = true; }
    void b() {
      boolean seen = (boolean) FIRST.getAcquire(this) | (boolean) SECOND.getAcquire(this);
      if ((boolean) THIRD.getAcquire(this)) x = 2;
    }
  }

  static final class CompareThenField_norace extends Flags {
    int x;
    void a() { FIRST.compareAndSet(this, false, true); x = 1; FOURTH.compareAndSet(this, false, true); }
    void b() { if (fourth) x = 2; }
  }

  @Case.Racy("x")
  static final class OtherHandle_race extends Flags {
    int x;
    void a() { x = 1; FIRST.setRelease(this, true); THIRD.setRelease(this, true); }
    void b() { boolean seen = (boolean) SECOND.getAcquire(this) | (boolean) FOURTH.getAcquire(this); x = 2; }
  }

  static final class Element_norace extends Case.Pair {
    final boolean[] flags = new boolean[4];
    int x;
    void a() { BOOLEANS.setRelease(flags, 1, false); x = 1; BOOLEANS.setRelease(flags, 3, true); }
    void b() { if ((boolean) BOOLEANS.getAcquire(flags, 3)) x = 2; }
  }

  @Case.Racy("x")
  static final class OtherElement_race extends Case.Pair {
    final boolean[] flags = new boolean[4];
    int x;
    void a() { x = 1; BOOLEANS.setRelease(flags, 1, true); }
    void b() { boolean seen = (boolean) BOOLEANS.getAcquire(flags, 2); x = 2; }
  }

  static final class ShortElement_norace extends Case.Pair {
    final short[] flags = new short[4];
    int x;
    void a() { x = 1; SHORTS.setRelease(flags, 3, (short) 1); }
    void b() { if ((short) SHORTS.getAcquire(flags, 3) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class OtherShortElement_race extends Case.Pair {
    final short[] flags = new short[4];
    int x;
    void a() { x = 1; SHORTS.setRelease(flags, 2, (short) 1); }
    void b() { short seen = (short) SHORTS.getAcquire(flags, 3); x = 2; }
  }

  @Case.Racy("x")
  static final class OtherField_race extends Flags {
    int x;
    void a() { x = 1; SECOND.setRelease(this, true); }
    void b() { boolean seen = first | third | fourth; x = 2; }
  }
}
