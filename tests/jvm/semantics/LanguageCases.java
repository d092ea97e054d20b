// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Lambdas, records, inner classes and what else the compiler turns into fields and methods of its own. */
final class LanguageCases {
  @Case.Racy("x")
  static final class Lambda_race extends Case.Pair {
    int x;
    final Runnable add = () -> x++;
    void a() { add.run(); }
    void b() { add.run(); }
  }

  static final class Lambda_norace extends Case.Pair {
    int x;
    final Runnable add = () -> { synchronized (this) { x++; } };
    void a() { add.run(); }
    void b() { add.run(); }
  }

  @Case.Racy("[]")
  static final class LambdaCapturesArray_race extends Case.Pair {
    final Runnable add = make();
    static Runnable make() { int[] counter = new int[1]; return () -> counter[0]++; }
    void a() { add.run(); }
    void b() { add.run(); }
  }

  static final class LambdaCapturesValues_norace extends Case.Pair {
    final IntSupplier sum = make(3, 4L, "five");
    static IntSupplier make(int i, long l, String s) { return () -> i + (int) l + s.length(); }
    void a() { sum.getAsInt(); }
    void b() { sum.getAsInt(); }
  }

  @Case.Racy("x")
  static final class MethodReference_race extends Case.Pair {
    int x;
    void add() { x++; }
    final Runnable add = this::add;
    void a() { add.run(); }
    void b() { add.run(); }
  }

  @Case.Racy("x")
  static final class StaticLambda_race extends Case.Pair {
    static int x;
    static final Runnable ADD = () -> x++;
    void a() { ADD.run(); }
    void b() { ADD.run(); }
  }

  /** Linking a lambda is the JVM's business: both threads come first here. */
  @Case.Cold
  static final class ColdLambda_norace extends Case.Pair {
    static Supplier<String> make(String s) { return () -> s + "!"; }
    void a() { make("a").get(); }
    void b() { make("b").get(); }
  }

  @Case.Racy("x")
  static final class InnerClass_race extends Case.Pair {
    int x;
    final class Inner { void add() { x++; } }
    final Inner one = new Inner();
    final Inner two = new Inner();
    void a() { one.add(); }
    void b() { two.add(); }
  }

  @Case.Racy("x")
  static final class AnonymousClass_race extends Case.Pair {
    int x;
    final Runnable add = new Runnable() { @Override public void run() { x++; } };
    void a() { add.run(); }
    void b() { x = 5; }
  }

  static final class AnonymousClass_norace extends Case.Pair {
    int x;
    final Runnable add = new Runnable() { @Override public synchronized void run() { x++; } };
    void a() { add.run(); }
    void b() { add.run(); }
  }

  @Case.Racy("n")
  static final class LocalClass_race extends Case.Pair {
    final Runnable add = make();
    static Runnable make() { class Counter implements Runnable { int n; @Override public void run() { n++; } } return new Counter(); }
    void a() { add.run(); }
    void b() { add.run(); }
  }

  static final class Record_norace extends Case.Pair {
    record Point(int x, String name) { Point { if (x < 0) throw new IllegalArgumentException(); } }
    final Point p = new Point(1, "one");
    void a() { p.hashCode(); p.toString(); p.equals(new Point(1, "one")); }
    void b() { p.hashCode(); p.toString(); p.equals(new Point(2, "two")); }
  }

  @Case.Racy("[]")
  static final class RecordOfArray_race extends Case.Pair {
    record Box(int[] cells) { void set(int v) { cells[0] = v; } }
    final Box box = new Box(new int[1]);
    void a() { box.set(1); }
    void b() { box.set(2); }
  }

  @Case.Racy("count")
  static final class RecordStatic_race extends Case.Pair {
    record Counted(int x) { static int count; Counted { count++; } }
    void a() { new Counted(1); }
    void b() { new Counted(2); }
  }

  @Case.Racy("n")
  static final class DefaultMethod_race extends Case.Pair {
    static class State { int n; }
    interface Counter { State state(); default void add() { state().n++; } }
    final State state = new State();
    final Counter counter = () -> state;
    void a() { counter.add(); }
    void b() { counter.add(); }
  }

  @Case.Racy("value")
  static final class Generic_race extends Case.Pair {
    static class Box<T extends Comparable<T>> { T value; void max(T other) { if (value == null || value.compareTo(other) < 0) value = other; } }
    final Box<Integer> box = new Box<>();
    void a() { box.max(1); }
    void b() { box.max(2); }
  }

  @Case.Racy("x")
  static final class TryFinally_race extends Case.Pair {
    int x;
    void fail() { try { throw new IllegalStateException(); } finally { x++; } }
    void a() { try { fail(); } catch (IllegalStateException expected) { } }
    void b() { try { fail(); } catch (IllegalStateException expected) { } }
  }

  @Case.Racy("closed")
  static final class TryWithResources_race extends Case.Pair {
    int closed;
    void use() { try (AutoCloseable c = () -> closed++) { c.hashCode(); } catch (Exception e) { throw new IllegalStateException(e); } }
    void a() { use(); }
    void b() { use(); }
  }

  @Case.Racy("x")
  static final class Switch_race extends Case.Pair {
    int x;
    void set(String s) { switch (s) { case "a": x = 1; break; case "b": x = 2; break; default: throw new IllegalStateException(); } }
    void a() { set("a"); }
    void b() { set("b"); }
  }

  @Case.Racy("x")
  static final class StringConcat_race extends Case.Pair {
    String x = "";
    void a() { x += "a" + 1; }
    void b() { x += "b" + 2; }
  }

  @Case.Racy({"low", "high"})
  static final class CheckThenAct_race extends Case.Pair {
    int low = 1;
    int high = 9;
    void a() { if (high > 5) low = 5; }
    void b() { if (low < 5) high = 4; }
  }

  @Case.Racy("x")
  static final class ChainedAssignment_race extends Case.Pair {
    long x;
    long y;
    double[] z = new double[1];
    void a() { z[0] = x = y = 1; }
    void b() { long old = x++; }
  }

  @Case.Racy("x")
  static final class LazyInitialisation_race extends Case.Pair {
    Object x;
    Object get() { if (x == null) x = new Object(); return x; }
    void a() { get(); }
    void b() { get(); }
  }

  @Case.Racy("hash")
  static final class CachedHash_race extends Case.Pair {
    int hash;
    @Override public int hashCode() { int h = hash; if (h == 0) hash = h = 42; return h; }
    void a() { hashCode(); }
    void b() { hashCode(); }
  }

  static final class LocalVariables_norace extends Case.Pair {
    static int work() { int[] a = new int[4]; StringBuilder b = new StringBuilder(); java.util.List<Integer> l = new java.util.ArrayList<>(); for (int i = 0; i < 4; i++) { a[i] = i; b.append(i); l.add(i); } return a[3] + b.length() + l.size(); }
    void a() { work(); }
    void b() { work(); }
  }

  @Case.Racy("x")
  static final class DeepRecursion_race extends Case.Pair {
    int x;
    void down(int n) { if (n == 0) x++; else down(n - 1); }
    void a() { down(200); }
    void b() { down(200); }
  }

  static final class SerialisedCopy_norace extends Case.Pair {
    static final class Data implements java.io.Serializable { int v = 7; transient int t; java.util.ArrayList<String> names = new java.util.ArrayList<>(java.util.List.of("a")); }
    final Data data = new Data();
    static Data copy(Data from) throws Exception {
      java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
      new java.io.ObjectOutputStream(bytes).writeObject(from);
      return (Data) new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(bytes.toByteArray())).readObject();
    }
    void a() throws Exception { Data mine = copy(data); mine.v++; mine.names.add("x"); }
    void b() throws Exception { Data mine = copy(data); mine.v++; mine.names.add("x"); }
  }

  @Case.Racy("v")
  static final class ClonedShares_race extends Case.Pair {
    static final class Box { int v; }
    static final class Holder implements Cloneable { Box box = new Box(); @Override public Holder clone() { try { return (Holder) super.clone(); } catch (CloneNotSupportedException e) { throw new AssertionError(e); } } }
    final Holder one = new Holder();
    final Holder two = one.clone();
    void a() { one.box.v = 1; }
    void b() { two.box.v = 2; }
  }

  static final class ClonedObject_norace extends Case.Pair {
    static final class Holder implements Cloneable { int v; @Override public Holder clone() { try { return (Holder) super.clone(); } catch (CloneNotSupportedException e) { throw new AssertionError(e); } } }
    final Holder one = new Holder();
    Holder mine;
    void a() { one.clone().v = 1; }
    void b() { one.clone().v = 2; }
  }

  /** The clone is another object: what was done to the original is no access of it. */
  static final class ClonedInOtherThread_norace extends Case.Pair {
    static final class Holder implements Cloneable { int v; @Override public Holder clone() { try { return (Holder) super.clone(); } catch (CloneNotSupportedException e) { throw new AssertionError(e); } } }
    final Holder one = new Holder();
    void a() { Holder copy; synchronized (one) { one.v++; copy = one.clone(); } copy.v++; }
    void b() { Holder copy; synchronized (one) { one.v++; copy = one.clone(); } copy.v++; }
  }

  @Case.Racy("v")
  static final class CloneReads_race extends Case.Pair {
    static final class Holder implements Cloneable { int v; @Override public Holder clone() { try { return (Holder) super.clone(); } catch (CloneNotSupportedException e) { throw new AssertionError(e); } } }
    final Holder one = new Holder();
    void a() { one.clone(); }
    void b() { one.v = 2; }
  }

  /** The symbols of the last locale are kept by java.util.Formatter. */
  @Case.Cold
  static final class Format_norace extends Case.Pair {
    void a() { String.format(java.util.Locale.FRANCE, "%d %.2f", 1, 0.5); }
    void b() { String.format(java.util.Locale.FRANCE, "%,d %.2f", 1000, 0.5); }
  }
}
