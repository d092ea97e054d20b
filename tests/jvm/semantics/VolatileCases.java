// SPDX-License-Identifier: Apache-2.0
package semantics;

final class VolatileCases {
  @Case.Cold
  static final class Itself_norace extends Case.Pair {
    volatile int x;
    void a() { x = 1; }
    void b() { x = 2; }
  }

  static final class ItselfRead_norace extends Case.Pair {
    volatile long x;
    long seen;
    void a() { x = 1; }
    void b() { seen = x; }
  }

  static final class Static_norace extends Case.Pair {
    static volatile double x;
    void a() { x = 1; }
    void b() { x = 2; }
  }

  /** Two reads with nothing between them, of which the second may be the one that sees the write: no barrier fits there, so many times. */
  static final class ReadTwice_norace extends Case.Solo {
    static final class Letter { volatile int state; int text; }
    volatile int state;
    int text;
    volatile int waitsFor = -1;
    void run() throws Exception {
      Letter[] letters = new Letter[500];
      ReadTwice_norace[] cases = new ReadTwice_norace[letters.length];
      for (int i = 0; i < letters.length; i++) { letters[i] = new Letter(); cases[i] = new ReadTwice_norace(); }
      Thread reader = new Thread(() -> {
        for (int i = 0; i < letters.length; i++) {
          waitsFor = i;
          read(letters[i]);
          cases[i].read();
        }
      });
      reader.start();
      for (int i = 0; i < letters.length; i++) {
        while (waitsFor < i) Thread.onSpinWait();
        letters[i].text = 1;
        letters[i].state = 2;
        cases[i].text = 1;
        cases[i].state = 2;
      }
      reader.join();
    }
    int read() {
      while (state != 1 && state != 2) Thread.onSpinWait();
      return text;
    }
    static int read(Letter letter) {
      while (letter.state != 1 && letter.state != 2) Thread.onSpinWait();
      return letter.text;
    }
  }

  static final class Flag_norace extends Case.Pair {
    volatile boolean flag;
    int x;
    void a() { x = 1; flag = true; }
    void b() { if (flag) x = 2; }
  }

  @Case.Racy("x")
  static final class FlagIsPlain_race extends Case.Pair {
    final int[] unrelated = new int[1];
    int x;
    void a() { x = 1; unrelated[0] = 1; }
    void b() { x = 2; }
  }

  @Case.Racy("x")
  static final class FlagTooEarly_race extends Case.Pair {
    volatile boolean flag;
    int x;
    void a() { flag = true; x = 1; }
    void b() { boolean seen = flag; x = 2; }
  }

  /** A volatile write orders nothing before a later volatile write. */
  @Case.Racy("x")
  static final class TwoWrites_race extends Case.Pair {
    volatile boolean flag;
    int x;
    void a() { x = 1; flag = true; }
    void b() { flag = true; x = 2; }
  }

  @Case.Racy("x")
  static final class TwoReads_race extends Case.Pair {
    volatile boolean flag;
    int x;
    void a() { boolean seen = flag; x = 1; seen = flag; }
    void b() { boolean seen = flag; x = 2; seen = flag; }
  }

  @Case.Racy("x")
  static final class TwoFlags_race extends Case.Pair {
    volatile boolean one;
    volatile boolean two;
    int x;
    void a() { x = 1; one = true; }
    void b() { boolean seen = two; x = 2; }
  }

  @Case.Racy("x")
  static final class SameFlagOfTwoObjects_race extends Case.Pair {
    static final class Flag { volatile boolean up; }
    final Flag one = new Flag();
    final Flag two = new Flag();
    int x;
    void a() { x = 1; one.up = true; }
    void b() { boolean seen = two.up; x = 2; }
  }

  static final class StaticFlag_norace extends Case.Pair {
    static volatile boolean flag;
    static int x;
    void setup() { flag = false; }
    void a() { x = 1; flag = true; }
    void b() { if (flag) x = 2; }
  }

  @Case.Racy("x")
  static final class StaticFlagTooEarly_race extends Case.Pair {
    static volatile boolean flag;
    static int x;
    void a() { flag = true; x = 1; }
    void b() { boolean seen = flag; x = 2; }
  }

  static final class InheritedFlag_norace extends Case.Pair {
    static class Base { volatile boolean up; }
    static final class Derived extends Base { }
    final Derived flag = new Derived();
    int x;
    void a() { x = 1; flag.up = true; }
    void b() { if (((Base) flag).up) x = 2; }
  }

  static final class Publication_norace extends Case.Pair {
    static final class Box { int v; }
    volatile Box box;
    int seen;
    void a() { Box fresh = new Box(); fresh.v = 1; box = fresh; }
    void b() { Box found = box; if (found != null) seen = found.v; }
  }

  @Case.Racy("v")
  static final class PublicationThenWrite_race extends Case.Pair {
    static final class Box { int v; }
    volatile Box box = new Box();
    void a() { Box found = box; box = found; found.v = 1; }
    void b() { Box found = box; box = found; found.v = 2; }
  }

  @Case.Racy("[]")
  static final class ArrayElement_race extends Case.Pair {
    volatile int[] array = new int[1];
    void a() { array[0] = 1; }
    void b() { array[0] = 2; }
  }

  static final class Increment_norace extends Case.Pair {
    volatile int turn;
    int x;
    void add() { turn++; x++; turn++; }
    void a() { add(); }
    void b() { add(); }
  }

  static final class Transitive_norace extends Case.Pair {
    volatile int first;
    volatile int second;
    int x;
    void a() { x = 1; first = 1; if (first == 1) second = 1; }
    void b() { if (second == 1) x = 2; }
  }

  static final class DoubleCheckedLocking_norace extends Case.Pair {
    static final class Service { int v; Service() { v = 7; } }
    volatile Service service;
    Service get() {
      Service found = service;
      if (found == null) {
        synchronized (this) { found = service; if (found == null) service = found = new Service(); }
      }
      return found;
    }
    int sum(int ignored) { return get().v; }
    void a() { sum(1); }
    void b() { sum(2); }
  }

  @Case.Racy({"service", "v"})
  static final class DoubleCheckedLocking_race extends Case.Pair {
    static final class Service { int v; Service() { v = 7; } }
    Service service;
    Service get() {
      if (service == null) {
        synchronized (this) { if (service == null) service = new Service(); }
      }
      return service;
    }
    void a() { get().v += 0; }
    void b() { get().v += 0; }
  }

  /** Many writers between: the reader learns of all of them, not of the last only. */
  static final class ReleaseOfManyWriters_norace extends Case.Pair {
    volatile int flag;
    int x;
    int y;
    void setup() throws Exception {
      Thread t = new Thread(() -> { y = 1; flag = 1; });
      t.start();
      t.join();
    }
    void a() { x = 1; flag = flag + 1; }
    void b() { if (flag >= 2) { x = 2; y = 2; } }
  }

  @Case.Racy("x")
  static final class FieldNextToVolatile_race extends Case.Pair {
    volatile int before;
    int x;
    volatile int after;
    void a() { x = 1; before = 1; after = 1; }
    void b() { x = 2; before = 2; after = 2; }
  }
}
