// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.PropertyResourceBundle;
import java.util.jar.Manifest;

/**
 * Final fields and publication without synchronisation (JLS 17.5). The reference goes from one thread to the other in opaque mode,
 * which neither races nor orders: what is left is what the constructor did. Whoever comes first publishes, the other one looks.
 */
final class FinalFieldCases {
  abstract static class Publication extends Case.Pair {
    Object slot;
    static final VarHandle SLOT;

    static {
      try {
        SLOT = MethodHandles.lookup().findVarHandle(Publication.class, "slot", Object.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    abstract Object make();

    abstract int look(Object found);

    private void meet() {
      Object found = SLOT.getOpaque(this);
      if (found == null) {
        SLOT.setOpaque(this, make());
      } else {
        look(found);
      }
    }

    void a() { meet(); }

    void b() { meet(); }
  }

  static final class FinalField_norace extends Publication {
    static final class Box { final int v; Box(int v) { this.v = v; } }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).v; }
  }

  @Case.Racy("v")
  static final class PlainField_race extends Publication {
    static final class Box { int v; Box(int v) { this.v = v; } }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).v; }
  }

  @Case.Racy("v")
  static final class WrittenAfterConstructor_race extends Publication {
    static final class Box { final int f; int v; Box(int f) { this.f = f; } }
    Object make() { Box box = new Box(7); box.v = 8; return box; }
    int look(Object found) { return ((Box) found).f + ((Box) found).v; }
  }

  /** 17.5.1: what the constructor wrote into the array is seen through the final field. */
  static final class ArrayBehindFinal_norace extends Publication {
    static final class Box { final int[] v; Box(int n) { v = new int[1]; v[0] = n; } }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).v[0]; }
  }

  static final class ObjectBehindFinal_norace extends Publication {
    static final class Inner { int n; }
    static final class Box { final Inner inner; Box(int n) { inner = new Inner(); inner.n = n; } }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  /** The freeze covers what was written before it only. */
  @Case.Racy("n")
  static final class ObjectBehindFinalWrittenLater_race extends Publication {
    static final class Inner { int n; }
    static final class Box { final Inner inner = new Inner(); }
    Object make() { Box box = new Box(); box.inner.n = 7; return box; }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  static final class RecordOfArray_norace extends Publication {
    record Box(int[] v, String name) { }
    Object make() { return new Box(new int[] {7}, "seven"); }
    int look(Object found) { return ((Box) found).v()[0] + ((Box) found).name().length(); }
  }

  static final class RecordComponents_norace extends Publication {
    record Point(int x, long y, double z) { }
    Object make() { return new Point(1, 2, 3); }
    int look(Object found) { Point p = (Point) found; return (int) (p.x() + p.y() + p.z()); }
  }

  static final class MadeString_norace extends Publication {
    Object make() { return new StringBuilder("a").append(hashCode()).toString(); }
    int look(Object found) { return found.hashCode() + ((String) found).length(); }
  }

  static final class Boxed_norace extends Publication {
    Object make() { return Integer.valueOf(100_000 + (hashCode() & 1)); }
    int look(Object found) { return (Integer) found; }
  }

  static final class ImmutableList_norace extends Publication {
    Object make() { return java.util.List.of("a", "b", String.valueOf(hashCode())); }
    int look(Object found) { return ((java.util.List<?>) found).get(2).hashCode(); }
  }

  /** A map filled in the constructor and kept in a final field. */
  static final class MapBehindFinal_norace extends Publication {
    static final class Box {
      final java.util.Map<String, Integer> map;
      Box() { map = new java.util.HashMap<>(); map.put("a", 1); }
    }
    Object make() { return new Box(); }
    int look(Object found) { return ((Box) found).map.get("a"); }
  }

  @Case.Racy("java.util.ArrayList")
  static final class ListWithoutFinal_race extends Publication {
    Object make() { java.util.ArrayList<String> list = new java.util.ArrayList<>(); list.add("a"); return list; }
    int look(Object found) { return ((java.util.ArrayList<?>) found).size(); }
  }

  static final class TwoLevelsBehindFinal_norace extends Publication {
    static final class Inner { int n; }
    static final class Middle { Inner inner; Inner[] all; }
    static final class Box {
      final Middle middle;
      Box(int n) { middle = new Middle(); middle.inner = new Inner(); middle.inner.n = n; middle.all = new Inner[] {middle.inner}; }
    }
    Object make() { return new Box(7); }
    int look(Object found) { Middle m = ((Box) found).middle; return m.inner.n + m.all[0].n; }
  }

  /** The freeze orders what others did before it, too. */
  static final class OthersBeforeFreeze_norace extends Publication {
    static final class Inner { int n; }
    static final class Box { final Inner inner; Box(Inner inner) { this.inner = inner; } }
    Object make() {
      Inner inner = new Inner();
      Thread other = new Thread(() -> inner.n = 7);
      other.start();
      try {
        other.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return new Box(inner);
    }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  /** 17.5.1 speaks of reads. */
  @Case.Racy("n")
  static final class ReaderWritesBehindFinal_race extends Publication {
    static final class Inner { int n; }
    static final class Box { final Inner inner; Box(int n) { inner = new Inner(); inner.n = n; } }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).inner.n = 8; }
  }

  /** The same object, reached by a way that has no final field in it. */
  @Case.Racy({"inner", "n"})
  static final class BesideFinal_race extends Publication {
    static final class Inner { int n; }
    static final class Box { final Inner inner; Box(int n) { inner = new Inner(); inner.n = n; } }
    static final class Plain { Inner inner; }
    Object make() { Plain plain = new Plain(); plain.inner = new Box(7).inner; return plain; }
    int look(Object found) { return ((Plain) found).inner.n; }
  }

  /** A field is frozen by the constructor that writes it; what a subclass does afterwards comes too late. */
  @Case.Racy("n")
  static final class SubclassWritesBehindFinal_race extends Publication {
    static final class Inner { int n; }
    static class Base { final Inner inner = new Inner(); }
    static final class Box extends Base { Box(int n) { inner.n = n; } }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  static final class SubclassFinal_norace extends Publication {
    static final class Inner { int n; }
    static class Base { final Inner inner = new Inner(); }
    static final class Box extends Base { final Inner mine; Box(int n) { mine = inner; mine.n = n; } }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).mine.n; }
  }

  static final class BehindFinalOfSuperclass_norace extends Publication {
    static final class Inner { int n; }
    static class Base { final Inner inner = new Inner(); Base(int n) { inner.n = n; } }
    static final class Box extends Base { Box(int n) { super(n); } }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  static final class ThisChain_norace extends Publication {
    static final class Inner { int n; }
    static final class Box {
      final Inner inner;
      Box(int n) { this(new Inner(), n); }
      Box(Inner inner, int n) { this.inner = inner; inner.n = n; }
    }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  /** The freeze is at the end of the constructor that was called, not of the one that called it. */
  @Case.Racy("n")
  static final class ThisChainWritesLater_race extends Publication {
    static final class Inner { int n; }
    static final class Box {
      final Inner inner;
      Box(int n) { this(new Inner()); inner.n = n; }
      Box(Inner inner) { this.inner = inner; }
    }
    Object make() { return new Box(7); }
    int look(Object found) { return ((Box) found).inner.n; }
  }

  static final class RecordOfObject_norace extends Publication {
    static final class Inner { int n; }
    record Box(Inner inner) { }
    Object make() { Inner inner = new Inner(); inner.n = 7; return new Box(inner); }
    int look(Object found) { return ((Box) found).inner().n; }
  }

  @Case.Racy("n")
  static final class RecordOfObjectWrittenLater_race extends Publication {
    static final class Inner { int n; }
    record Box(Inner inner) { }
    Object make() { Inner inner = new Inner(); Box box = new Box(inner); inner.n = 7; return box; }
    int look(Object found) { return ((Box) found).inner().n; }
  }

  static final class InnerClassCapturesObject_norace extends Publication {
    static final class Inner { int n; }
    Object make() {
      Inner inner = new Inner();
      inner.n = 7;
      return new java.util.function.IntSupplier() { public int getAsInt() { return inner.n; } };
    }
    int look(Object found) { return ((java.util.function.IntSupplier) found).getAsInt(); }
  }

  static final class LambdaCapturesObject_norace extends Publication {
    static final class Inner { int n; }
    Object make() { Inner inner = new Inner(); inner.n = 7; return (java.util.function.IntSupplier) () -> inner.n; }
    int look(Object found) { return ((java.util.function.IntSupplier) found).getAsInt(); }
  }

  static final class ObjectInImmutableList_norace extends Publication {
    static final class Inner { int n; }
    Object make() { Inner inner = new Inner(); inner.n = 7; return java.util.List.of(inner); }
    int look(Object found) { return ((Inner) ((java.util.List<?>) found).get(0)).n; }
  }

  static final class ObjectInOptional_norace extends Publication {
    static final class Inner { int n; }
    Object make() { Inner inner = new Inner(); inner.n = 7; return java.util.Optional.of(inner); }
    int look(Object found) { return ((Inner) ((java.util.Optional<?>) found).get()).n; }
  }

  static final class UnmodifiableList_norace extends Publication {
    Object make() { return java.util.Collections.unmodifiableList(new java.util.ArrayList<>(java.util.List.of("a", "b"))); }
    int look(Object found) { return ((java.util.List<?>) found).get(1).hashCode(); }
  }

  static final class EnumConstant_norace extends Publication {
    enum Colour { RED; final int[] code = {7}; int uses; { uses = 1; } }
    Object make() { return Colour.RED; }
    int look(Object found) { return ((Colour) found).code[0] + ((Colour) found).uses; }
  }

  static final class LambdaCapture_norace extends Publication {
    Object make() { int n = hashCode(); return (java.util.function.IntSupplier) () -> n; }
    int look(Object found) { return ((java.util.function.IntSupplier) found).getAsInt(); }
  }

  static final class InnerClassCapture_norace extends Publication {
    Object make() { int n = hashCode(); return new java.util.function.IntSupplier() { public int getAsInt() { return n; } }; }
    int look(Object found) { return ((java.util.function.IntSupplier) found).getAsInt(); }
  }

  static final class EmptyArray_norace extends Publication {
    Object make() { return new int[4]; }
    int look(Object found) { return ((int[]) found)[2]; }
  }

  @Case.Racy("[]")
  static final class FilledArray_race extends Publication {
    Object make() { int[] array = new int[4]; array[2] = 1; return array; }
    int look(Object found) { return ((int[]) found)[2]; }
  }

  // ---- the JDK's own objects, with collections behind their final fields

  static final class Bundle_norace extends Publication {
    Object make() {
      try {
        return new PropertyResourceBundle(new StringReader("key=value"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    int look(Object found) { return ((PropertyResourceBundle) found).getString("key").length(); }
  }

  static final class JarManifest_norace extends Publication {
    Object make() {
      try {
        return new Manifest(new ByteArrayInputStream("Manifest-Version: 1.0\nMain-Class: Main\n\n".getBytes(StandardCharsets.UTF_8)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    int look(Object found) { return ((Manifest) found).getMainAttributes().getValue("Main-Class").length(); }
  }

  /** What the first thread finds out about a signature is for the second one too. */
  static final class GenericSignature_norace extends Publication {
    List<String> generic(List<Integer> list) { return null; }
    Object make() {
      try {
        Method method = GenericSignature_norace.class.getDeclaredMethod("generic", List.class);
        method.getGenericExceptionTypes();
        return method;
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException(e);
      }
    }
    int look(Object found) { return ((Method) found).getGenericReturnType().getTypeName().length(); }
  }

  /** Default values: written before anything else happens. */
  static final class DefaultValue_norace extends Publication {
    static final class Box { int v; }
    Object make() { return new Box(); }
    int look(Object found) { return ((Box) found).v; }
  }

  /** The constructor lets its object out before the freeze. */
  @Case.Cold
  @Case.Racy("v")
  static final class LeakedThis_race extends Case.Pair {
    Object slot;
    static final VarHandle SLOT;
    static {
      try {
        SLOT = MethodHandles.lookup().findVarHandle(LeakedThis_race.class, "slot", Object.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }
    static final class Box {
      final int v;
      Box(LeakedThis_race to, int n) { SLOT.setOpaque(to, this); v = n; }
    }
    private int sum;
    private void meet() {
      Box found = (Box) SLOT.getOpaque(this);
      if (found == null) new Box(this, 7); else sum = found.v;
    }
    void a() { meet(); }
    void b() { meet(); }
  }
}
