// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.invoke.VarHandle;

/** Volatile fields of a byte each, which lie side by side in four bytes of the object: through handles and by instructions. */
final class SmallFieldCases {
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

  @Case.Racy("x")
  static final class OtherField_race extends Flags {
    int x;
    void a() { x = 1; SECOND.setRelease(this, true); }
    void b() { boolean seen = first | third | fourth; x = 2; }
  }
}
