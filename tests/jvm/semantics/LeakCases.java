// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;

/**
 * Constructors that let their object out. Until one has ended its final fields are fields like others (JLS 17.5.1): who got the object before
 * that is not ordered after what the constructor writes. Whoever gets it later is, however it came to him.
 */
final class LeakCases {
  /** A constructor that is under way while another thread looks at its object. */
  abstract static class Leak extends Case.Solo {
    Object slot;
    volatile Object post;
    static final VarHandle SLOT;

    static {
      try {
        SLOT = MethodHandles.lookup().findVarHandle(Leak.class, "slot", Object.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    /** Lets {@code o} out in a way that is neither a race nor an order. */
    final void let(Object o) { SLOT.setOpaque(this, o); }

    abstract void make();

    /** What was let out, or null if nothing was yet. */
    Object find() { return SLOT.getOpaque(this); }

    abstract int look(Object found);

    final void watch() {
      Object found;
      while ((found = find()) == null) Thread.yield();
      Order.enter(B);
      look(found);
      Order.leave(B);
    }

    /** In the constructor, around what it does while the other one looks; it ends when that one has. */
    static void opened() { Order.enter(A); }

    static void closing() {
      Order.leave(A);
      while (!Order.hasLeft(B)) Thread.yield();
    }

    @Override
    void run() throws Exception {
      Thread other = new Thread(this::watch);
      other.start();
      make();
      other.join();
    }
  }

  @Case.Racy("v")
  static final class Int_race extends Leak {
    static final class Box { final int v; Box(Int_race to) { to.let(this); opened(); v = 7; closing(); } }
    void make() { new Box(this); }
    int look(Object found) { return ((Box) found).v; }
  }

  @Case.Racy("v")
  static final class Long_race extends Leak {
    static final class Box { final long v; Box(Long_race to) { to.let(this); opened(); v = 7; closing(); } }
    void make() { new Box(this); }
    int look(Object found) { return (int) ((Box) found).v; }
  }

  @Case.Racy("v")
  static final class Reference_race extends Leak {
    static final class Box { final List<String> v; Box(Reference_race to) { to.let(this); opened(); v = List.of("a"); closing(); } }
    void make() { new Box(this); }
    int look(Object found) { return ((Box) found).v == null ? 0 : 1; }
  }

  /** Ordered with the leak, but the field is written behind it. */
  @Case.Racy("v")
  static final class ToVolatile_race extends Leak {
    static final class Box { final int v; Box(ToVolatile_race to) { to.post = this; opened(); v = 7; closing(); } }
    void make() { new Box(this); }
    Object find() { return post; }
    int look(Object found) { return ((Box) found).v; }
  }

  @Case.Racy("v")
  static final class ToStatic_race extends Leak {
    static volatile Box latest;
    static final class Box { final int v; Box() { latest = this; opened(); v = 7; closing(); } }
    void make() { new Box(); }
    Object find() { return latest; }
    int look(Object found) { return ((Box) found).v; }
  }

  @Case.Racy("v")
  static final class ToListeners_race extends Leak {
    final List<Box> listeners = new CopyOnWriteArrayList<>();
    static final class Box { final int v; Box(ToListeners_race to) { to.listeners.add(this); opened(); v = 7; closing(); } }
    void make() { new Box(this); }
    Object find() { return listeners.isEmpty() ? null : listeners.get(0); }
    int look(Object found) { return ((Box) found).v; }
  }

  @Case.Racy("v")
  static final class ToStartedThread_race extends Case.Solo {
    static final class Box extends Thread {
      final int v;
      Box() { start(); Leak.opened(); v = 7; Leak.closing(); }
      @Override public void run() { Order.enter(B); look(); Order.leave(B); }
      private int look() { return v; }
    }
    void run() throws Exception { new Box().join(); }
  }

  @Case.Racy("v")
  static final class ByMethod_race extends Leak {
    static final class Box {
      final int v;
      Box(ByMethod_race to) { register(to); opened(); v = 7; closing(); }
      private void register(ByMethod_race to) { to.let(this); }
    }
    void make() { new Box(this); }
    int look(Object found) { return ((Box) found).v; }
  }

  @Case.Racy("v")
  static final class ByInnerClass_race extends Leak {
    static final class Box {
      final int v;
      final class Reader { int read() { return v; } }
      Box(ByInnerClass_race to) { to.let(new Reader()); opened(); v = 7; closing(); }
    }
    void make() { new Box(this); }
    int look(Object found) { return ((Box.Reader) found).read(); }
  }

  @Case.Racy("v")
  static final class ByLambda_race extends Leak {
    static final class Box {
      final int v;
      Box(ByLambda_race to) { to.let((IntSupplier) this::read); opened(); v = 7; closing(); }
      int read() { return v; }
    }
    void make() { new Box(this); }
    int look(Object found) { return ((IntSupplier) found).getAsInt(); }
  }

  @Case.Racy("v")
  static final class BySuperclass_race extends Leak {
    static class Base { Base(BySuperclass_race to) { to.let(this); } }
    static final class Box extends Base { final int v; Box(BySuperclass_race to) { super(to); opened(); v = 7; closing(); } }
    void make() { new Box(this); }
    int look(Object found) { return ((Box) found).v; }
  }

  @Case.Racy("v")
  static final class ByRecord_race extends Leak {
    record Box(int v, ByRecord_race to) {
      Box(int v, ByRecord_race to) { this.to = to; to.let(this); opened(); this.v = v; closing(); }
    }
    void make() { new Box(7, this); }
    int look(Object found) { return ((Box) found).v(); }
  }

  /** Written before the leak, which orders nothing. */
  @Case.Racy("v")
  static final class WrittenBefore_race extends Leak {
    static final class Box {
      final int v;
      Box(WrittenBefore_race to) { v = 7; to.let(this); opened(); closing(); }
    }
    void make() { new Box(this); }
    int look(Object found) { return ((Box) found).v; }
  }

  @Case.Racy("v")
  static final class ReadByReflection_race extends Leak {
    static final class Box { final int v; Box(ReadByReflection_race to) { to.let(this); opened(); v = 7; closing(); } }
    static final Field V = ReflectionCases.field(Box.class, "v");
    void make() { new Box(this); }
    int look(Object found) {
      try {
        return V.getInt(found);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** It ends by an exception, but has not yet. */
  @Case.Racy("v")
  static final class BeforeException_race extends Leak {
    static final class Box {
      final int v;
      Box(BeforeException_race to) {
        to.let(this);
        opened();
        v = 7;
        closing();
        throw new IllegalStateException();
      }
    }
    void make() {
      try {
        new Box(this);
      } catch (IllegalStateException expected) {
        return;
      }
      throw new AssertionError();
    }
    int look(Object found) { return ((Box) found).v; }
  }

  // ---- in order

  static final class LeakedLast_norace extends Leak {
    static final class Box { final int v; Box(LeakedLast_norace to) { v = 7; to.post = this; opened(); closing(); } }
    void make() { new Box(this); }
    Object find() { return post; }
    int look(Object found) { return ((Box) found).v; }
  }

  /** The reader knows of the object before the field is written, and waits. */
  static final class ReaderWaits_norace extends Leak {
    volatile boolean written;
    static final class Box { final long v; Box(ReaderWaits_norace to) { to.let(this); v = 7; to.written = true; opened(); closing(); } }
    void make() { new Box(this); }
    int look(Object found) {
      while (!written) Thread.yield();
      return (int) ((Box) found).v;
    }
  }

  /** The constructor waits until the reader has seen the default value. */
  static final class WriterWaits_norace extends Leak {
    volatile boolean read;
    static final class Box {
      final int v;
      Box(WriterWaits_norace to) {
        to.let(this);
        while (!to.read) Thread.yield();
        v = 7;
      }
    }
    void make() { new Box(this); }
    int look(Object found) { return ((Box) found).v; }
    @Override
    void run() throws Exception {
      Thread other = new Thread(() -> {
        Object found;
        while ((found = find()) == null) Thread.yield();
        look(found);
        read = true;
      });
      other.start();
      make();
      other.join();
    }
  }

  /** Under one lock. */
  static final class Locked_norace extends Leak {
    static final class Box {
      final int v;
      Box(Locked_norace to) {
        synchronized (to) {
          to.let(this);
          v = 7;
        }
        opened();
        closing();
      }
    }
    void make() { new Box(this); }
    int look(Object found) {
      synchronized (this) {
        return ((Box) found).v;
      }
    }
  }

  // ---- handed over without order, but after the constructor has ended

  /** Keeps what constructors let out; nobody looks. */
  static final class Sink {
    static volatile Object kept;
    private Sink() {}
  }

  static final class Finished_norace extends FinalFieldCases.Publication {
    static final class Box { final int v; Box(int v) { Sink.kept = this; this.v = v; } }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).v; }
  }

  static final class FinishedLong_norace extends FinalFieldCases.Publication {
    static final class Box { final long v; final double w; Box(long v) { Sink.kept = this; this.v = v; w = v; } }
    Object make() { return new Box(7); }
    int look(Object found) { return (int) (((Box) found).v + ((Box) found).w); }
  }

  /** Read through the field, too. */
  static final class FinishedReference_norace extends FinalFieldCases.Publication {
    static final class Inner { int n; }
    static final class Box { final Inner inner; Box(int n) { Sink.kept = this; inner = new Inner(); inner.n = n; } }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  static final class FinishedUnseen_norace extends FreezeCases.UnseenPublication {
    static final class Inner { int n; }
    static final class Box { final int v; final Inner inner; Box() { Sink.kept = this; v = 7; inner = new Inner(); inner.n = v; } }
    Object make() { return new Box(); }
    int look(Object found) { return ((Box) found).v + ((Box) found).inner.n; }
  }

  /** A field of numbers leads nowhere: of what else the constructor wrote it says nothing. */
  @Case.Racy("w")
  static final class FinishedBesidePlain_race extends FinalFieldCases.Publication {
    static final class Box { final int v; int w; Box(int v) { Sink.kept = this; this.v = v; w = v; } }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).v + ((Box) found).w; }
  }

  static final class FinishedBySuperclass_norace extends FinalFieldCases.Publication {
    static class Base { final int u; Base() { Sink.kept = this; u = 1; } }
    static final class Box extends Base { final int v; Box(int v) { this.v = v; } }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).u + ((Box) found).v; }
  }

  static final class FinishedByInnerClass_norace extends FinalFieldCases.Publication {
    static final class Box {
      final int v;
      final class Reader { int read() { return v; } }
      final Reader reader;
      Box(int v) { reader = new Reader(); this.v = v; }
    }
    Object make() { return new Box(7).reader; }
    int look(Object found) { return ((Box.Reader) found).read(); }
  }

  static final class FinishedByLambda_norace extends FinalFieldCases.Publication {
    static final class Box {
      final int v;
      final IntSupplier reader;
      Box(int v) { reader = this::read; this.v = v; }
      int read() { return v; }
    }
    Object make() { return new Box(7).reader; }
    int look(Object found) { return ((IntSupplier) found).getAsInt(); }
  }

  static final class FinishedChain_norace extends FinalFieldCases.Publication {
    static final class Box {
      final int v;
      Box() { this(7); Sink.kept = this; }
      Box(int v) { Sink.kept = this; this.v = v; }
    }
    Object make() { return new Box(); }
    int look(Object found) { return ((Box) found).v; }
  }

  static final class FinishedRecord_norace extends FinalFieldCases.Publication {
    record Box(int v, String name) { Box { Sink.kept = this; v++; } }
    Object make() { return new Box(7, "seven"); }
    int look(Object found) { return ((Box) found).v() + found.hashCode() + found.toString().length() + (found.equals(new Box(7, "seven")) ? 1 : 0); }
  }

  static final class FinishedEnum_norace extends FinalFieldCases.Publication {
    enum Colour { RED(7); final int code; Colour(int code) { Sink.kept = this; this.code = code; } }
    Object make() { return Colour.RED; }
    int look(Object found) { return ((Colour) found).code; }
  }

  static final class Thrown_norace extends FinalFieldCases.Publication {
    static final class Box {
      final int v;
      final long w;
      Box(Box[] out, int n) {
        out[0] = this;
        v = n;
        w = n;
        if (n != 0) throw new IllegalStateException();
      }
    }
    Object make() {
      Box[] out = new Box[1];
      try {
        new Box(out, 7);
      } catch (IllegalStateException expected) {
        return out[0];
      }
      throw new AssertionError();
    }
    int look(Object found) { return ((Box) found).v + (int) ((Box) found).w; }
  }

  /** The superclass let it out. */
  static final class ThrownBelowSuperclass_norace extends FinalFieldCases.Publication {
    static final class Inner { int n; }
    static class Base { Base(Object[] out) { out[0] = this; } }
    static final class Box extends Base {
      final int v;
      final Inner inner = new Inner();
      Box(Object[] out, int n) {
        super(out);
        v = n;
        inner.n = n;
        if (n != 0) throw new IllegalStateException();
      }
    }
    Object make() {
      Object[] out = new Object[1];
      try {
        new Box(out, 7);
      } catch (IllegalStateException expected) {
        return out[0];
      }
      throw new AssertionError();
    }
    int look(Object found) { return ((Box) found).v + ((Box) found).inner.n; }
  }

  static final class Cloned_norace extends FinalFieldCases.Publication {
    static final class Box implements Cloneable {
      final int v;
      Box(int v) { Sink.kept = this; this.v = v; }
      Box copy() {
        try {
          return (Box) clone();
        } catch (CloneNotSupportedException e) {
          throw new AssertionError(e);
        }
      }
    }
    Object make() { return new Box(7).copy(); }
    int look(Object found) { return ((Box) found).copy().v + ((Box) found).v; }
  }

  static final class Deserialised_norace extends FinalFieldCases.Publication {
    static final class Box implements Serializable { final int v; Box(int v) { Sink.kept = this; this.v = v; } }
    Object make() { return FreezeCases.copy(new Box(7)); }
    int look(Object found) { return ((Box) found).v; }
  }

  /** The constructor of the superclass has ended, though the stream has not. */
  static final class DeserialisedBelowSuperclass_norace extends Leak {
    static DeserialisedBelowSuperclass_norace to;
    static class Base { final int u; Base() { Sink.kept = this; u = 1; } }
    static final class Box extends Base implements Serializable {
      private void readObject(ObjectInputStream in) { to.let(this); opened(); closing(); }
    }
    void make() { to = this; FreezeCases.copy(new Box()); }
    int look(Object found) { return ((Box) found).u; }
  }

  static final class SetByReflection_norace extends FinalFieldCases.Publication {
    static final class Inner { int n; }
    static final class Box { final Inner inner; final int v; Box() { Sink.kept = this; inner = null; v = 1; } }
    static final Field INNER = ReflectionCases.field(Box.class, "inner");
    static final Field V = ReflectionCases.field(Box.class, "v");
    Object make() {
      Box box = new Box();
      Inner inner = new Inner();
      inner.n = 7;
      try {
        INNER.set(box, inner);
        V.setInt(box, 7);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
      return box;
    }
    int look(Object found) { return ((Box) found).inner.n + ((Box) found).v; }
  }
}
