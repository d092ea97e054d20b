// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** What is refused is no access; and variables that are easily taken for each other. */
final class RefusedCases {
  static final class CopyOfOtherReferences_norace extends Case.Pair {
    final Object[] from = {"a", "b", "c"};
    final Object[] to = new Integer[3];
    void a() {
      try {
        System.arraycopy(from, 0, to, 0, 3);
      } catch (ArrayStoreException e) {
        // As it must be.
      }
    }
    void b() { to[1] = 5; }
  }

  static final class CopyOfOtherPrimitives_norace extends Case.Pair {
    final int[] from = new int[4];
    final long[] to = new long[4];
    void a() {
      try {
        System.arraycopy((Object) from, 0, to, 0, 4);
      } catch (ArrayStoreException e) {
        // As it must be.
      }
    }
    void b() { to[1] = 5; from[2] = 3; }
  }

  @Case.Racy("[]")
  static final class CopyOfReferencesThatFit_race extends Case.Pair {
    final Object[] from = {1, 2, 3};
    final Integer[] to = new Integer[3];
    void a() { System.arraycopy(from, 0, to, 0, 3); }
    void b() { from[1] = 5; }
  }

  static final class SetAllThatFails_norace extends Case.Pair {
    final int[] numbers = new int[4];
    void a() {
      try {
        Arrays.setAll(numbers, i -> { throw new IllegalStateException(); });
      } catch (IllegalStateException e) {
        // As it must be.
      }
    }
    void b() { numbers[3] = 1; }
  }

  @Case.Racy("[]")
  static final class SetAllBehindARelease_race extends Case.Pair {
    final int[] numbers = new int[1];
    final Object lock = new Object();
    void a() {
      Arrays.setAll(numbers, i -> {
        synchronized (lock) {
          return 5;
        }
      });
    }
    void b() { synchronized (lock) { } int seen = numbers[0]; }
  }

  static final class CharactersOutOfBounds_norace extends Case.Pair {
    final char[] characters = new char[8];
    void a() {
      try {
        new String(characters, 0, 100);
      } catch (IndexOutOfBoundsException e) {
        // As it must be.
      }
    }
    void b() { characters[0] = 1; }
  }

  static final class CloneOfWhatIsNotCloneable_norace extends Case.Pair {
    static class Sheep {
      int wool;
      void copy() {
        try {
          super.clone();
        } catch (CloneNotSupportedException e) {
          // As it must be.
        }
      }
    }
    final Sheep sheep = new Sheep();
    void a() { sheep.copy(); }
    void b() { sheep.wool = 2; }
  }

  /** Enough fields that some have the offset of a static one. */
  @Case.Racy("a6")
  static final class FieldAtTheOffsetOfAStaticOne_race extends Case.Pair {
    static class Both {
      int a0, a1, a2, a3, a4, a5, a6;
      static int s0, s1, s2, s3, s4, s5, s6, s7, s8, s9;
    }
    final Both both = new Both();
    void a() throws IllegalAccessException {
      Both.s0 = 0;  // both are known before the first reflective access
      int known = both.a6;
      for (boolean isStatic : new boolean[] {true, false}) {
        for (Field field : Both.class.getDeclaredFields()) {
          if (field.getType() != int.class || Modifier.isStatic(field.getModifiers()) != isStatic) continue;
          field.setInt(both, 1);
        }
      }
    }
    void b() { int seen = both.a6; }
  }

  /** A hidden class with the name and the members of this one. */
  @Case.Cold
  @Case.Racy("value")
  static final class HiddenCopy_race extends Case.Pair {
    int value;
    HiddenCopy_race() throws Exception {
      try (InputStream bytes = HiddenCopy_race.class.getResourceAsStream("RefusedCases$HiddenCopy_race.class")) {
        MethodHandles.lookup().defineHiddenClass(bytes.readAllBytes(), false);
      }
    }
    /** A call that is hooked in hidden classes too: only a class with such a one is registered. */
    static void copy(int[] from, int[] to) { System.arraycopy(from, 0, to, 0, 1); }
    void a() { value = 1; }
    void b() { int seen = value; }
  }

  @Case.Cold
  static final class ConstantOfAnotherClassByReflection_norace extends Case.Pair {
    static final class Box { int value = 7; }
    static final class Constants {
      static final Box BOX = new Box();
      static void touch() { }
    }
    final Field field = fieldOf(Constants.class, "BOX");
    void a() { Constants.touch(); }
    void b() throws IllegalAccessException { int seen = ((Box) field.get(null)).value; }
  }

  @Case.Cold
  static final class ConstantOfAnotherClassByHandle_norace extends Case.Pair {
    static final class Box { int value = 7; }
    static final class Constants {
      static final Box BOX = new Box();
      static void touch() { }
    }
    final Field field = fieldOf(Constants.class, "BOX");
    void a() { Constants.touch(); }
    void b() throws Exception {
      try {
        int seen = ((Box) MethodHandles.lookup().unreflectGetter(field).invoke()).value;
      } catch (Throwable e) {
        throw new Exception(e);
      }
    }
  }

  static Field fieldOf(Class<?> type, String name) {
    try {
      return type.getDeclaredField(name);
    } catch (NoSuchFieldException e) {
      throw new AssertionError(e);
    }
  }

  static final class TaskBehindAFinalField_norace extends Case.Pair {
    static final class Task implements Callable<Integer> {
      int value = 7;
      public Integer call() { return value; }
    }
    static final class Holder {
      final Callable<Integer> task = new Task();
    }
    final AtomicReference<Holder> shared = new AtomicReference<>();
    void a() { shared.setOpaque(new Holder()); }
    void b() throws Exception {
      Holder holder = shared.getOpaque();
      if (holder != null) holder.task.call();
    }
  }

  static final class ElementsOfAnAtomicArray_norace extends Case.Pair {
    static final class Box {
      int value = 7;
    }
    final AtomicReference<AtomicReferenceArray<Box>> shared = new AtomicReference<>();
    void a() { shared.setOpaque(new AtomicReferenceArray<>(new Box[] {new Box()})); }
    void b() {
      AtomicReferenceArray<Box> boxes = shared.getOpaque();
      int seen = boxes == null ? 0 : boxes.get(0).value;
    }
  }

  static VarHandle handleOf(Class<?> type, String name, Class<?> of) {
    try {
      return MethodHandles.privateLookupIn(type, MethodHandles.lookup()).findVarHandle(type, name, of);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** What a handle refuses is no access, whatever it is that does not fit. */
  static final class HandleOfAnotherClass_norace extends Case.Pair {
    static final class Mine {
      int first;
    }
    static final class Other {
      int first;
    }
    static final VarHandle FIRST = handleOf(Mine.class, "first", int.class);
    final Object other = new Other();
    void a() {
      try {
        FIRST.set(other, 1);
      } catch (ClassCastException e) {
        // As it must be.
      }
      try {
        int seen = (int) FIRST.getVolatile(other);
      } catch (ClassCastException e) {
        // As it must be.
      }
      try {
        FIRST.compareAndSet(other, 0, 1);
      } catch (ClassCastException e) {
        // As it must be.
      }
    }
    void b() { ((Other) other).first = 2; }
  }

  @Case.Racy("first")
  static final class HandleOfASuperclass_race extends Case.Pair {
    static class Base {
      int first;
    }
    static final class Derived extends Base {}
    static final VarHandle FIRST = handleOf(Base.class, "first", int.class);
    final Object derived = new Derived();
    void a() { FIRST.set(derived, 1); }
    void b() { ((Derived) derived).first = 2; }
  }

  static final class HandleOfAnotherArray_norace extends Case.Pair {
    static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(String[].class);
    final Object[] other = new Integer[3];
    void a() {
      try {
        ELEMENTS.set((Object) other, 1, "a");
      } catch (ClassCastException e) {
        // As it must be.
      }
    }
    void b() { other[1] = 5; }
  }

  static final class ValueOfAnotherClass_norace extends Case.Pair {
    static final class Named {
      String name;
    }
    static final VarHandle NAME = handleOf(Named.class, "name", String.class);
    final Named named = new Named();
    void a() {
      try {
        NAME.set(named, (Object) 1);
      } catch (ClassCastException e) {
        // As it must be.
      }
    }
    void b() { named.name = "b"; }
  }

  @Case.Racy("name")
  static final class ValueThatFits_race extends Case.Pair {
    static final class Named {
      String name;
    }
    static final VarHandle NAME = handleOf(Named.class, "name", String.class);
    final Named named = new Named();
    void a() { NAME.set(named, (Object) "a"); }
    void b() { named.name = "b"; }
  }

  static final class FillOfOtherReferences_norace extends Case.Pair {
    final Object[] numbers = new Integer[4];
    void a() {
      try {
        Arrays.fill(numbers, "a");
      } catch (ArrayStoreException e) {
        // As it must be.
      }
      try {
        Arrays.fill(numbers, 1, 3, "a");
      } catch (ArrayStoreException e) {
        // As it must be.
      }
    }
    void b() { numbers[2] = 5; }
  }

  @Case.Racy("[]")
  static final class FillOfReferencesThatFit_race extends Case.Pair {
    final Object[] numbers = new Integer[4];
    void a() { Arrays.fill(numbers, 5); }
    void b() { numbers[2] = 5; }
  }

  @Case.Racy("[]")
  static final class FillOfAPartThatFits_race extends Case.Pair {
    final Object[] numbers = new Integer[4];
    void a() { Arrays.fill(numbers, 1, 3, 5); }
    void b() { Object seen = numbers[2]; }
  }

  static final class FillOfAnotherPart_norace extends Case.Pair {
    final Object[] numbers = new Integer[4];
    void a() { Arrays.fill(numbers, 1, 3, 5); }
    void b() { Object seen = numbers[3]; }
  }
}
