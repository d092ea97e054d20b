// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What reflection, and an object's own methods, show of watched classes. */
public final class Reflect {
  @Retention(RetentionPolicy.RUNTIME)
  @interface Mark {
    String value() default "none";
  }

  @Mark("class")
  static class Plain<T extends Comparable<T>> implements Cloneable, Comparable<Plain<T>> {
    @Mark("field") private int number = 3;
    protected volatile long wide = 4;
    public transient T generic;
    static String shared = "shared";
    static volatile boolean sharedVolatile;
    static final int CONSTANT = 7;
    final List<String> names = new ArrayList<>();
    int[] numbers = {1, 2};

    public synchronized int locked() {
      return number;
    }

    static synchronized void lockedStatic() {
      sharedVolatile = true;
    }

    strictfp double strict(@Mark double x, T... rest) throws IllegalStateException {
      return x + wide;
    }

    @Override
    public int compareTo(Plain<T> other) {
      return number - other.number;
    }

    @Override
    protected Plain<T> clone() throws CloneNotSupportedException {
      @SuppressWarnings("unchecked")
      Plain<T> copy = (Plain<T>) super.clone();
      return copy;
    }

    class Inner {
      int outerNumber = number;
    }
  }

  record Point(int x, int y, String... names) {
    static int made;

    Point {
      made++;
    }
  }

  enum Colour {
    RED {
      @Override
      int code() {
        return 1;
      }
    },
    GREEN;

    int uses;

    int code() {
      uses++;
      return 0;
    }
  }

  sealed interface Shape permits Square, Circle {
    int FACTOR = Integer.getInteger("none", 4);

    default int area() {
      return FACTOR * side();
    }

    int side();
  }

  record Square(int side) implements Shape {}

  static final class Circle implements Shape {
    private int side = 2;

    @Override
    public int side() {
      return side++;
    }
  }

  static String members(Class<?> type) {
    List<String> lines = new ArrayList<>();
    for (Field f : type.getDeclaredFields()) lines.add("field " + f.toGenericString() + " " + f.getModifiers() + f.isSynthetic() + Arrays.toString(f.getAnnotations()));
    for (Method m : type.getDeclaredMethods()) lines.add("method " + m.toGenericString() + " " + m.getModifiers() + m.isSynthetic() + m.isDefault());
    for (Constructor<?> c : type.getDeclaredConstructors()) lines.add("constructor " + c.toGenericString() + " " + c.getModifiers() + c.isSynthetic());
    for (Class<?> c : type.getDeclaredClasses()) lines.add("class " + c);
    lines.sort(Comparator.naturalOrder());
    lines.add(0, type.toGenericString() + " " + Modifier.toString(type.getModifiers()) + " " + type.getModifiers() + " " + type.getNestHost()
        + " " + Arrays.toString(type.getNestMembers()) + Arrays.toString(type.getPermittedSubclasses()) + Arrays.stream(type.getAnnotations()).map(a -> a.annotationType()).toList()
        + type.getEnclosingMethod() + type.isSynthetic() + type.isHidden() + Arrays.toString(type.getRecordComponents()));
    return String.join("\n", lines);
  }

  static void own() {
    for (Class<?> type : new Class<?>[] {Plain.class, Plain.Inner.class, Point.class, Colour.class, Colour.RED.getClass(), Shape.class, Square.class,
        Circle.class, Mark.class, new Object() {
          int anonymous = 3;
        }.getClass()}) {
      section("own_" + type.getName(), () -> say(members(type)));
    }
    section("field_order", () -> {
      for (Class<?> type : new Class<?>[] {Plain.class, Circle.class, Thread.class, java.util.HashMap.class}) {
        say(Arrays.stream(type.getDeclaredFields()).map(Field::getName).toList());
        say(Arrays.stream(type.getFields()).map(Field::getName).toList());
      }
    });
    section("field_by_name", () -> {
      for (String name : new String[] {"$dh$w0", "$dh$r0", "$dh$s1", "$dh$epoch", "number"}) {
        for (Class<?> type : new Class<?>[] {Plain.class, Thread.class, ClassLoader.class}) {
          try {
            say(type.getDeclaredField(name));
          } catch (NoSuchFieldException e) {
            say(e);
          }
        }
      }
    });
    section("invoke", () -> {
      Plain<String> plain = new Plain<>();
      Field number = Plain.class.getDeclaredField("number");
      number.setAccessible(true);
      number.setInt(plain, 11);
      say(number.get(plain) + " " + Plain.class.getDeclaredField("wide").getLong(plain) + " " + Plain.class.getDeclaredField("shared").get(null));
      say(Plain.class.getMethod("locked").invoke(plain));
      Field names = Plain.class.getDeclaredField("names");
      names.setAccessible(true);
      names.set(plain, List.of("changed"));
      say(plain.names);
      try {
        Plain.class.getDeclaredField("CONSTANT").set(null, 3);
      } catch (IllegalAccessException e) {
        say(e.getMessage());
      }
      try {
        number.set("text", 3);
      } catch (IllegalArgumentException e) {
        say(e.getMessage());
      }
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      MethodHandle getter = lookup.unreflectGetter(number);
      say((int) getter.invoke(plain) + " " + lookup.revealDirect(getter) + " " + lookup.findSetter(Plain.class, "wide", long.class).type());
      lookup.findSetter(Plain.class, "wide", long.class).invoke(plain, 5L);
      say(plain.wide);
    });
    section("invoke_throws", () -> Plain.class.getDeclaredMethod("compareTo", Plain.class).invoke(new Plain<String>(), (Object) null));
    section("clone", () -> {
      Plain<String> plain = new Plain<>();
      plain.number = 8;
      Plain<String> copy = plain.clone();
      copy.number++;
      copy.wide++;
      say(plain.number + " " + copy.number + " " + plain.wide + " " + copy.wide + " " + (plain.names == copy.names) + " " + (plain.numbers == copy.numbers));
      say(Arrays.toString(plain.numbers.clone()) + new Object[][] {{1}, {2}}.clone().length);
      say(((java.util.HashMap<?, ?>) new java.util.HashMap<>(java.util.Map.of(1, 2)).clone()));
      say(new ArrayList<>(List.of(1, 2)).clone());
      say(new java.util.ArrayDeque<>(List.of(1, 2)).clone());
    });
    section("object_methods", () -> {
      Point a = new Point(1, 2, "x");
      Point b = new Point(1, 2, a.names());
      say(a.equals(b) + " " + (a.hashCode() == b.hashCode()) + " " + a.toString().replaceAll("@.*", "") + " " + Point.made);
      say(Colour.valueOf("RED") + " " + Colour.RED.code() + Colour.GREEN.code() + Colour.GREEN.uses + Arrays.toString(Colour.values()));
      say(new Square(3) + " " + new Square(3).area() + new Circle().area() + " " + new Square(3).equals(new Square(3)));
      say(new java.util.EnumMap<>(java.util.Map.of(Colour.RED, 1)) + " " + java.util.EnumSet.allOf(Colour.class));
      Object o = new Object();
      int hash = System.identityHashCode(o);
      synchronized (o) {
        o.notify();
      }
      int[] array = {1};
      int arrayHash = array.hashCode();
      array[0]++;
      System.gc();
      say((hash == o.hashCode()) + " " + (arrayHash == System.identityHashCode(array)) + " " + o.toString().equals("java.lang.Object@" + Integer.toHexString(hash)));
    });
    section("proxy", () -> {
      InvocationHandler handler = (proxy, method, args) -> method.getName() + (args == null ? "" : Arrays.toString(args));
      @SuppressWarnings("unchecked")
      java.util.Map<String, String> map = (java.util.Map<String, String>) Proxy.newProxyInstance(Reflect.class.getClassLoader(), new Class<?>[] {java.util.Map.class}, handler);
      say(map.get("x") + " " + members(map.getClass()).hashCode());
    });
    section("assertions_and_package", () -> say(Reflect.class.desiredAssertionStatus() + " " + Reflect.class.getPackage() + " " + Plain.class.getModule().isNamed()
        + " " + Plain.class.getProtectionDomain().getCodeSource().getLocation().getPath().endsWith("/")));
    section("resource", () -> {
      // The class file as a resource is the one on disk.
      try (var in = Reflect.class.getResourceAsStream("Reflect.class")) {
        say(Arrays.hashCode(in.readAllBytes()));
      }
    });
  }

  /** Every class of these packages of the JDK, without initialising it: one line each with a hash of all its members. */
  static void jdk(String... packages) throws Exception {
    for (String name : packages) {
      section("jdk_" + name, () -> {
        Path folder = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base", name.replace('.', '/'));
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
          files = all.filter(p -> p.toString().endsWith(".class")).sorted(Comparator.comparing(Path::toString)).toList();
        }
        for (Path file : files) {
          String simple = file.getFileName().toString().replace(".class", "");
          try {
            Class<?> type = Class.forName(name + "." + simple, false, null);
            String members = members(type);
            if (members.contains("$dh$") || members.contains("eadheat")) say(members);
            say(simple + " " + Integer.toHexString(members.hashCode()));
          } catch (LinkageError | ClassNotFoundException e) {
            say(simple + " " + e);
          }
        }
      });
    }
  }

  public static void main(String[] args) throws Exception {
    own();
    jdk("java.lang", "java.lang.ref", "java.util", "java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks", "java.io", "java.text", "jdk.internal.reflect");
  }
}
