// SPDX-License-Identifier: Apache-2.0
package semantics;

/** Plain fields of every type, where they can be declared and how they can be reached. */
final class FieldCases {
  @Case.Cold
  @Case.Racy("x")
  static final class BooleanField_race extends Case.Pair {
    boolean x;
    void a() { x = true; }
    void b() { x = false; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class ByteField_race extends Case.Pair {
    byte x;
    void a() { x = 1; }
    void b() { x++; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class ShortField_race extends Case.Pair {
    short x;
    void a() { x = 1; }
    void b() { x++; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class CharField_race extends Case.Pair {
    char x;
    void a() { x = 'a'; }
    void b() { x++; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class IntField_race extends Case.Pair {
    int x;
    void a() { x++; }
    void b() { x++; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class LongField_race extends Case.Pair {
    long x;
    void a() { x = 1L << 40; }
    void b() { x += 3; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class FloatField_race extends Case.Pair {
    float x;
    void a() { x = 1; }
    void b() { x *= 2; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class DoubleField_race extends Case.Pair {
    double x;
    void a() { x = 1; }
    void b() { x /= 2; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class ReferenceField_race extends Case.Pair {
    Object x;
    void a() { x = this; }
    void b() { x = null; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class StaticLong_race extends Case.Pair {
    static long x;
    void a() { x = 1; }
    void b() { x = 2; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class StaticDouble_race extends Case.Pair {
    static double x = 3;
    void a() { x += 1; }
    void b() { x += 2; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class StaticReference_race extends Case.Pair {
    static Object x;
    void a() { x = "a"; }
    void b() { x = "b"; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class WriteAndRead_race extends Case.Pair {
    int x;
    int seen;
    void a() { x = 1; }
    void b() { seen = x; }
  }

  @Case.Cold
  static final class TwoReads_norace extends Case.Pair {
    int x = 5;
    int inA;
    int inB;
    void a() { inA = x; }
    void b() { inB = x; }
  }

  @Case.Cold
  static final class TwoFields_norace extends Case.Pair {
    byte x;
    byte y;
    void a() { x = 1; }
    void b() { y = 1; }
  }

  @Case.Cold
  static final class TwoObjects_norace extends Case.Pair {
    static final class Box { int v; }
    final Box one = new Box();
    final Box two = new Box();
    void a() { one.v = 1; }
    void b() { two.v = 1; }
  }

  @Case.Racy("v")
  static final class OneObjectTwoReferences_race extends Case.Pair {
    static final class Box { int v; }
    final Box one = new Box();
    final Box two = one;
    void a() { one.v = 1; }
    void b() { two.v = 1; }
  }

  @Case.Racy("v")
  static final class InheritedField_race extends Case.Pair {
    static class Base { int v; }
    static class Middle extends Base { int other; }
    static final class Derived extends Middle { }
    final Derived box = new Derived();
    void a() { box.v = 1; }
    void b() { ((Base) box).v = 2; }
  }

  static final class HiddenField_norace extends Case.Pair {
    static class Base { int v; }
    static final class Derived extends Base { int v; }
    final Derived box = new Derived();
    void a() { box.v = 1; }
    void b() { ((Base) box).v = 2; }
  }

  @Case.Racy("v")
  static final class InheritedStatic_race extends Case.Pair {
    static class Base { static int v; }
    static final class Derived extends Base { }
    void a() { Base.v = 1; }
    void b() { Derived.v = 2; }
  }

  @Case.Racy("v")
  static final class PrivateOfNestmate_race extends Case.Pair {
    static final class Box {
      private int v;
      void set() { v = 1; }
    }
    final Box box = new Box();
    void a() { box.set(); }
    void b() { box.v = 2; }
  }

  @Case.Racy("v")
  static final class ProtectedOfSuper_race extends Case.Pair {
    static class Base {
      protected int v;
      void set() { v = 1; }
    }
    static final class Derived extends Base {
      void setSuper() { super.v = 2; }
    }
    final Derived box = new Derived();
    void a() { box.set(); }
    void b() { box.setSuper(); }
  }

  @Case.Racy("x")
  static final class ThreeReadersOneWriter_race extends Case.Pair {
    int x;
    int sum;
    void setup() throws Exception {
      Thread[] readers = new Thread[3];
      for (int i = 0; i < readers.length; i++) {
        readers[i] = new Thread(() -> { int seen = x; });
        readers[i].start();
      }
      for (Thread t : readers) t.join();
    }
    void a() { sum = x; }
    void b() { x = 1; }
  }

  static final class ReadSharedThenJoined_norace extends Case.Solo {
    int x;
    void run() throws Exception {
      x = 1;
      Thread[] readers = new Thread[4];
      for (int i = 0; i < readers.length; i++) {
        readers[i] = new Thread(() -> { int seen = x; });
        readers[i].start();
      }
      for (Thread t : readers) t.join();
      x = 2;
    }
  }

  /** The second write comes after a release: it is not covered by the first. */
  @Case.Racy("x")
  static final class WrittenAgainAfterRelease_race extends Case.Pair {
    final Object lock = new Object();
    int x;
    void a() { synchronized (lock) { x = 1; } x = 2; }
    void b() { synchronized (lock) { x = 3; } x = 4; }
  }

  @Case.Racy("x")
  static final class WrittenAgainAfterCall_race extends Case.Pair {
    volatile int flag;
    int x;
    void sync() { flag = flag + 1; }
    void a() { x = 1; sync(); x = 2; }
    void b() { sync(); x = 3; sync(); x = 4; }
  }

  @Case.Racy("x")
  static final class WrittenInLoop_race extends Case.Pair {
    int x;
    void a() { for (int i = 0; i < 10; i++) x = i; }
    void b() { for (int i = 0; i < 10; i++) x = i; }
  }

  @Case.Racy("x")
  static final class OnlyInOneBranch_race extends Case.Pair {
    int x;
    final int[] which = {0, 1};
    void set(int v) { if (which[v] == 0) { x = 1; } else { x = 2; } }
    void a() { set(0); }
    void b() { set(1); }
  }

  /** Unsafe publication: the reference races, and so does what the constructor wrote. */
  @Case.Racy({"box", "v"})
  static final class UnsafePublication_race extends Case.Pair {
    static final class Box { int v; Box(int v) { this.v = v; } }
    Box box = new Box(0);
    int sum;
    void a() { box = new Box(box.v + 1); }
    void b() { box = new Box(box.v + 1); }
  }

  @Case.Racy("x")
  static final class AfterConstructor_race extends Case.Pair {
    static final class Box { int x; Box() { x = 1; } void set(int v) { x = v; } }
    final Box box = new Box();
    void a() { box.set(1); }
    void b() { box.set(2); }
  }

  @Case.Racy("x")
  static final class ConstructorWritesStatic_race extends Case.Pair {
    static int x;
    static final class Counted { Counted() { x++; } }
    void a() { new Counted(); }
    void b() { new Counted(); }
  }

  @Case.Racy("x")
  static final class FieldInitialiserReadsShared_race extends Case.Pair {
    static int x;
    static final class Numbered { final int number = ++x; }
    void a() { new Numbered(); }
    void b() { new Numbered(); }
  }

  @Case.Racy("x")
  static final class Update_race extends Case.Pair {
    int x;
    int seen;
    void a() { x += 3; }
    void b() { seen = x; }
  }

  @Case.Racy("x")
  static final class UpdateOfAnotherClass_race extends Case.Pair {
    static final class Counter { long x; }
    final Counter counter = new Counter();
    void a() { counter.x = 7; }
    void b() { counter.x ^= 5; }
  }

  @Case.Racy("x")
  static final class UpdateOfStatic_race extends Case.Pair {
    static short x;
    void a() { x--; }
    void b() { x <<= 1; }
  }

  @Case.Racy("[]")
  static final class UpdateOfElement_race extends Case.Pair {
    final double[] sums = new double[3];
    void a() { sums[1] += 0.5; }
    void b() { sums[1] *= 2; }
  }

  /** The release of a volatile update comes behind its acquire, and both behind what went before. */
  static final class UpdateOfVolatile_norace extends Case.Pair {
    static final class Turn { volatile int count; }
    final Turn turn = new Turn();
    int x;
    void a() { x = 1; turn.count++; }
    void b() { if (turn.count++ == 1) x = 2; }
  }

  /** A branch that does not check leaves the check to what follows. */
  @Case.Racy("x")
  static final class ReadOnOneWay_race extends Case.Pair {
    int x;
    int sink;
    boolean first = Boolean.parseBoolean("false");
    void a() { x = 1; }
    void b() { if (first) sink = x; sink += x; }
  }

  static final class ObjectPerThread_norace extends Case.Pair {
    static final class Box { int v; Box next; }
    int work() { Box head = null; for (int i = 0; i < 5; i++) { Box box = new Box(); box.v = i; box.next = head; head = box; } return head.v; }
    void a() { work(); }
    void b() { work(); }
  }

  @Case.Racy("v")
  static final class LinkedNodes_race extends Case.Pair {
    static final class Node { int v; Node next; }
    final Node head = new Node();
    void setup() { head.next = new Node(); head.next.next = new Node(); }
    void a() { head.next.next.v = 1; }
    void b() { head.next.next.v = 2; }
  }
}
