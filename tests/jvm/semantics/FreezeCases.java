// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/** Final fields that are frozen otherwise than by a constructor that returns (JLS 17.5.1, 17.5.3). Handed over as in {@link FinalFieldCases}. */
final class FreezeCases {
  static Object copy(Object original) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(original);
      }
      try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        return in.readObject();
      }
    } catch (IOException | ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  static final class DeserialisedList_norace extends FinalFieldCases.Publication {
    static final class Box implements Serializable { final List<String> list = new ArrayList<>(List.of("a", "b")); }
    Object make() { return copy(new Box()); }
    int look(Object found) { return ((Box) found).list.size(); }
  }

  static final class DeserialisedMap_norace extends FinalFieldCases.Publication {
    static class Base implements Serializable { final Map<String, String> map = new HashMap<>(Map.of("a", "b")); }
    static final class Box extends Base { final String name = "box"; }
    Object make() { return copy(new Box()); }
    int look(Object found) { return ((Box) found).map.get("a").length(); }
  }

  /** A method of the program's own reads the object behind the final field. */
  static final class DeserialisedByItself_norace extends FinalFieldCases.Publication {
    static final class Inner implements Serializable {
      transient int n;
      private void writeObject(ObjectOutputStream out) throws IOException { out.writeInt(7); }
      private void readObject(ObjectInputStream in) throws IOException { n = in.readInt(); }
    }
    static final class Box implements Serializable { final Inner inner = new Inner(); }
    Object make() { return copy(new Box()); }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  @Case.Racy("n")
  static final class DeserialisedAndWritten_race extends FinalFieldCases.Publication {
    static final class Inner implements Serializable { int n; }
    static final class Box implements Serializable { final Inner inner = new Inner(); }
    Object make() { Box box = (Box) copy(new Box()); box.inner.n = 7; return box; }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  /** Written when the final field is set already, but before readObject has returned: the stream freezes all it made at its end. */
  static final class DeserialisedCycle_norace extends FinalFieldCases.Publication {
    static final class Inner implements Serializable {
      Box owner;
      transient int n;
      private void writeObject(ObjectOutputStream out) throws IOException { out.defaultWriteObject(); }
      private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); n = 7; }
    }
    static final class Box implements Serializable { final Inner inner; Box(Inner inner) { this.inner = inner; } }
    Object make() {
      Inner inner = new Inner();
      inner.owner = new Box(inner);
      return ((Inner) copy(inner)).owner;
    }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  static final class DeserialisedRecord_norace extends FinalFieldCases.Publication {
    record Box(ArrayList<String> list) implements Serializable { }
    Object make() { return copy(new Box(new ArrayList<>(List.of("a", "b")))); }
    int look(Object found) { return ((Box) found).list().size(); }
  }

  /** One stream, read twice: each read freezes what it made. */
  static final class DeserialisedTwice_norace extends FinalFieldCases.Publication {
    static final class Box implements Serializable { final List<String> list = new ArrayList<>(List.of("a", "b")); }
    Object make() {
      try {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
          out.writeObject(new Box());
          out.writeObject(new Box());
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
          return new Object[] {in.readObject(), in.readUnshared()};
        }
      } catch (IOException | ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
    int look(Object found) {
      Object[] boxes = (Object[]) found;
      return ((Box) boxes[0]).list.size() + ((Box) boxes[1]).list.size();
    }
  }

  static final class SetByReflection_norace extends FinalFieldCases.Publication {
    static final class Inner { int n; }
    static final class Box { final Inner inner; Box(Inner inner) { this.inner = inner; } }
    static final Field INNER = ReflectionCases.field(Box.class, "inner");
    Object make() {
      Box box = new Box(null);
      Inner inner = new Inner();
      inner.n = 7;
      try {
        INNER.set(box, inner);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
      return box;
    }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  @Case.Racy("n")
  static final class SetByReflectionThenWritten_race extends FinalFieldCases.Publication {
    static final class Inner { int n; }
    static final class Box { final Inner inner; Box(Inner inner) { this.inner = inner; } }
    static final Field INNER = ReflectionCases.field(Box.class, "inner");
    Object make() {
      Box box = new Box(null);
      Inner inner = new Inner();
      try {
        INNER.set(box, inner);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
      inner.n = 7;
      return box;
    }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  /** 17.5.1: "when c exits, either normally or abruptly". */
  static final class ConstructorThrows_norace extends FinalFieldCases.Publication {
    static final class Inner { int n; }
    static final class Box {
      final Inner inner;
      Box(Box[] out, int n) {
        out[0] = this;
        inner = new Inner();
        inner.n = n;
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
    int look(Object found) { return ((Box) found).inner.n; }
  }

  @Case.Racy("n")
  static final class ConstructorThrowsThenWritten_race extends FinalFieldCases.Publication {
    static final class Inner { int n; }
    static final class Box {
      final Inner inner;
      Box(Box[] out, int n) {
        inner = new Inner();
        out[0] = this;
        if (n != 0) throw new IllegalStateException();
      }
    }
    Object make() {
      Box[] out = new Box[1];
      try {
        new Box(out, 7);
      } catch (IllegalStateException expected) {
        out[0].inner.n = 8;
        return out[0];
      }
      throw new AssertionError();
    }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  /** The exception comes from a method that the constructor calls, and is caught and thrown on there. */
  static final class ConstructorThrowsFromWithin_norace extends FinalFieldCases.Publication {
    static final class Inner { int n; }
    static final class Box {
      final Inner inner;
      long wide;
      Box(Box[] out, int n) {
        long twice = 2L * n;
        inner = new Inner();
        try {
          register(out);
        } catch (IllegalStateException e) {
          inner.n = (int) twice;
          throw e;
        }
      }
      private void register(Box[] out) { out[0] = this; throw new IllegalStateException(); }
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
    int look(Object found) { return ((Box) found).inner.n; }
  }

  /** The value is in a final field of what {@code ClassValue} keeps in its cache, which is read without a lock. */
  static final class ClassValue_norace extends Case.Pair {
    static final class Inner { int n; }
    final ClassValue<Inner> values = new ClassValue<>() {
      @Override protected Inner computeValue(Class<?> type) { Inner inner = new Inner(); inner.n = 7; return inner; }
    };
    private int look() { return values.get(ClassValue_norace.class).n; }
    void a() { if (look() != 7) throw new AssertionError(); }
    void b() { if (look() != 7) throw new AssertionError(); }
  }

  /** It orders nothing but what {@code computeValue} did. */
  @Case.Racy("n")
  static final class ClassValueWritten_race extends Case.Pair {
    static final class Inner { int n; }
    final ClassValue<Inner> values = new ClassValue<>() {
      @Override protected Inner computeValue(Class<?> type) { return new Inner(); }
    };
    void a() { values.get(ClassValueWritten_race.class).n++; }
    void b() { values.get(ClassValueWritten_race.class).n++; }
  }

  /** A value that was removed is computed anew: removal and computation take a lock. */
  static final class ClassValueRemoved_norace extends Case.Pair {
    static final class Inner { int n; }
    final ClassValue<Inner> values = new ClassValue<>() {
      @Override protected Inner computeValue(Class<?> type) { Inner inner = new Inner(); inner.n = 7; return inner; }
    };
    private int renew() {
      int n = values.get(ClassValueRemoved_norace.class).n;
      values.remove(ClassValueRemoved_norace.class);
      return n + values.get(ClassValueRemoved_norace.class).n;
    }
    void a() { if (renew() != 14) throw new AssertionError(); }
    void b() { if (renew() != 14) throw new AssertionError(); }
  }

  /** A finalizer that is inherited comes after the constructor of the class that inherits it (JLS 17.4.5). */
  @SuppressWarnings("deprecation")
  static final class InheritedFinalizer_norace extends Case.Solo {
    abstract static class Base {
      abstract int value();
      @Override protected void finalize() { if (value() == 1) Order.signal(0); }
    }
    static final class Finalized extends Base {
      int x;
      Finalized() { x = 1; }
      int value() { return x; }
    }
    static void make() { new Finalized(); }
    void run() {
      make();
      while (!Order.signalled(0)) System.gc();
    }
  }

  @Case.Racy("x")
  static final class InheritedFinalizerAfterConstructor_race extends Case.Solo {
    abstract static class Base {
      abstract int value();
      @Override protected void finalize() { if (value() == 1) Order.signal(0); }
    }
    static final class Finalized extends Base {
      int x;
      int value() { return x; }
    }
    static void make() { new Finalized().x = 1; }
    void run() {
      make();
      while (!Order.signalled(0)) System.gc();
    }
  }

  /**
   * Handed over by a plain field of the JDK that nobody watches: neither a race nor an order is seen. Both sides have run before, so that no
   * class is loaded between them.
   */
  abstract static class UnseenPublication extends Case.Pair {
    final LogRecord post = new LogRecord(Level.INFO, "");

    UnseenPublication() { look(make()); }

    abstract Object make();

    abstract int look(Object found);

    private void meet() {
      Object[] found = post.getParameters();
      if (found == null) {
        post.setParameters(new Object[] {make()});
      } else {
        look(found[0]);
      }
    }

    void a() { meet(); }

    void b() { meet(); }
  }

  static final class ArrayHandedOverUnseen_norace extends UnseenPublication {
    static final class Box {
      final int[] v;
      Box(int[] v) { this.v = v; }
    }
    static int[] filled() {
      int[] v = new int[1];
      fill(v);
      return v;
    }
    static void fill(int[] v) { v[0] = 7; }
    Object make() { return new Box(filled()); }
    int look(Object found) { return ((Box) found).v[0]; }
  }

  static final class ObjectHandedOverUnseen_norace extends UnseenPublication {
    static final class Inner { int n; }
    static final class Box { final Inner inner = new Inner(); Box() { inner.n = 7; } }
    Object make() { return new Box(); }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  @Case.Racy("n")
  static final class WrittenAfterHandedOverUnseen_race extends UnseenPublication {
    static final class Inner { int n; }
    static final class Box { final Inner inner = new Inner(); }
    Object make() { Box box = new Box(); box.inner.n = 7; return box; }
    int look(Object found) { return ((Box) found).inner.n; }
  }
}
