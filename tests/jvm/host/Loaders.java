// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Class loaders, hidden classes, lambdas, unloading. */
public final class Loaders {
  /** Defines its classes itself, from the bytes the application loader finds. */
  static final class Own extends ClassLoader {
    private final String prefix;

    Own(String prefix) {
      super("own", Loaders.class.getClassLoader());
      this.prefix = prefix;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(prefix)) return super.loadClass(name, resolve);
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null) return known;
        byte[] bytes = bytesOf(name);
        return defineClass(name, bytes, 0, bytes.length);
      }
    }

    Class<?> define(String name, byte[] bytes) {
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  static byte[] bytesOf(String name) {
    try (InputStream in = Loaders.class.getClassLoader().getResourceAsStream(name.replace('.', '/') + ".class")) {
      return in.readAllBytes();
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public static class Counter implements IntSupplier {
    static int shared;
    static volatile int sharedVolatile;
    int own;
    volatile int ownVolatile;
    private final int[] cells = new int[4];

    public Counter() {}

    @Override
    public synchronized int getAsInt() {
      shared++;
      sharedVolatile++;
      own += 2;
      ownVolatile += 3;
      cells[own % 4]++;
      return shared * 1000000 + sharedVolatile * 10000 + own * 100 + ownVolatile * 10 + cells[0];
    }
  }

  static IntSupplier make(ClassLoader loader) throws ReflectiveOperationException {
    return (IntSupplier) loader.loadClass("host.Loaders$Counter").getConstructor().newInstance();
  }

  static void loaders() {
    section("same_name_two_loaders", () -> {
      IntSupplier one = make(new Own("host.Loaders$Counter"));
      IntSupplier two = make(new Own("host.Loaders$Counter"));
      IntSupplier own = new Counter();
      for (int i = 0; i < 3; i++) say(one.getAsInt() + " " + two.getAsInt() + " " + own.getAsInt());
      two.getAsInt();
      say(one.getAsInt() + " " + two.getAsInt() + " " + (one.getClass() == two.getClass()) + " " + one.getClass().getName());
    });
    section("same_name_other_fields", () -> {
      // The class of one loader with other fields and another order: written by Bytecode's generator.
      for (int shape = 0; shape < 4; shape++) {
        IntSupplier made = (IntSupplier) new Own("-").define("host.Shaped", Generated.shaped(shape)).getConstructor().newInstance();
        made.getAsInt();
        say(shape + " " + made.getAsInt() + " " + java.util.Arrays.stream(made.getClass().getDeclaredFields()).map(f -> f.getName() + f.getType()).toList());
      }
    });
    section("subclass_over_loaders", () -> {
      Own base = new Own("host.Loaders$Base");
      Class<?> parent = base.loadClass("host.Loaders$Base");
      say(parent.getMethod("sum").invoke(parent.getConstructor().newInstance()));
      Class<?> child = new Own("host.Loaders$Derived").loadClass("host.Loaders$Derived");
      say(child.getMethod("sum").invoke(child.getConstructor().newInstance()) + " " + child.getSuperclass().getClassLoader().getClass());
    });
    section("parallel_capable_lock", () -> {
      Thread[] threads = new Thread[4];
      Own loader = new Own("host.Loaders$");
      List<Class<?>> seen = java.util.Collections.synchronizedList(new ArrayList<>());
      for (int i = 0; i < threads.length; i++) {
        threads[i] = new Thread(() -> {
          try {
            seen.add(loader.loadClass("host.Loaders$Derived"));
          } catch (ClassNotFoundException e) {
            show(e);
          }
        });
        threads[i].start();
      }
      for (Thread thread : threads) thread.join();
      say(seen.stream().distinct().count());
    });
    section("not_found", () -> new Own("host.").loadClass("nowhere.Missing"));
    section("duplicate", () -> {
      Own loader = new Own("-");
      loader.define("host.Loaders$Base", bytesOf("host.Loaders$Base"));
      try {
        loader.define("host.Loaders$Base", bytesOf("host.Loaders$Base"));
      } catch (LinkageError e) {
        say(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
      }
    });
    section("wrong_name", () -> new Own("-").define("host.Other", bytesOf("host.Loaders$Base")));
  }

  public static class Base {
    protected int inherited = 5;
    protected static volatile int counted;

    public Base() {
      counted++;
    }

    public int sum() {
      return inherited += counted;
    }
  }

  public static class Derived extends Base {
    int inherited = 7;

    @Override
    public int sum() {
      super.inherited++;
      return inherited++ + super.sum() * 10;
    }
  }

  interface Greets {
    int COUNT = 3;

    default String greet(String who) {
      return prefix() + who + COUNT + hidden();
    }

    private int hidden() {
      return 4;
    }

    static String shout(String text) {
      return text.toUpperCase();
    }

    String prefix();
  }

  interface GreetsToo extends Greets {
    @Override
    default String greet(String who) {
      return "too " + Greets.super.greet(who);
    }
  }

  int captured = 3;

  Supplier<Integer> counter() {
    int[] local = {1};
    return () -> captured++ + local[0]++;
  }

  static void lambdas() {
    section("lambdas", () -> {
      Loaders at = new Loaders();
      Supplier<Integer> counter = at.counter();
      say(counter.get() + " " + counter.get() + " " + at.captured);
      Function<String, Integer> reference = String::length;
      BiFunction<Integer, Integer, Integer> sum = Integer::sum;
      Supplier<Base> constructor = Derived::new;
      Function<Integer, int[]> array = int[]::new;
      say(reference.apply("abc") + sum.apply(3, 4) + constructor.get().sum() + array.apply(3).length);
      Runnable both = (Runnable & java.io.Serializable) () -> say("serialisable");
      both.run();
      say(new GreetsToo() {
        @Override
        public String prefix() {
          return "hi ";
        }
      }.greet("you") + Greets.shout("x"));
    });
    section("string_switch_and_concat", () -> {
      StringBuilder all = new StringBuilder();
      for (Object x : new Object[] {1, "two", 3.0, 'c', null, 5L}) {
        all.append(x instanceof String s && s.length() == 3 ? s + x + all.length() : "" + x + true + 1.5f);
        switch (String.valueOf(x)) {
          case "two" -> all.append("!");
          case "null" -> all.append("?");
          default -> all.append(".");
        }
      }
      say(all);
    });
  }

  static class Secret implements Supplier<String> {
    private int uses;
    private static volatile int all;

    @Override
    public synchronized String get() {
      uses++;
      all++;
      return "used " + uses + " " + all;
    }
  }

  static void hidden() {
    section("hidden_class", () -> {
      byte[] bytes = bytesOf("host.Loaders$Secret");
      for (boolean initialise : new boolean[] {true, false}) {
        for (MethodHandles.Lookup.ClassOption[] options : new MethodHandles.Lookup.ClassOption[][] {{}, {MethodHandles.Lookup.ClassOption.NESTMATE},
            {MethodHandles.Lookup.ClassOption.STRONG}}) {
          MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(bytes, initialise, options);
          @SuppressWarnings("unchecked")
          Supplier<String> made = (Supplier<String>) lookup.findConstructor(lookup.lookupClass(), MethodType.methodType(void.class)).invoke();
          made.get();
          say(made.get() + " " + lookup.lookupClass().isHidden() + " " + lookup.lookupClass().getName().replaceAll("/.*", "/") + " "
              + java.util.Arrays.stream(lookup.lookupClass().getDeclaredFields()).map(f -> f.getName()).toList());
        }
      }
    });
    section("lookup_define", () -> {
      Class<?> type = MethodHandles.lookup().defineClass(Generated.shaped(1, "host/LookedUp"));
      say(((IntSupplier) type.getConstructor().newInstance()).getAsInt());
    });
  }

  /** Classes come and go; the last loaders must be gone by the end. */
  static void unloading(int count) {
    section("unloading", () -> {
      byte[] shaped = Generated.shaped(2);
      List<WeakReference<ClassLoader>> gone = new ArrayList<>();
      long sum = 0;
      for (int i = 0; i < count; i++) {
        Own loader = new Own("host.Loaders$");
        sum += ((IntSupplier) loader.define("host.Shaped", shaped).getConstructor().newInstance()).getAsInt();
        sum += make(loader).getAsInt() % 10;
        if (i % 100 == 0) gone.add(new WeakReference<>(loader));
      }
      while (!gone.stream().allMatch(r -> r.refersTo(null))) {
        System.gc();
        Thread.onSpinWait();
      }
      say(sum);
    });
  }

  public static void main(String[] args) {
    if (args.length > 0) {
      unloading(Integer.parseInt(args[0]));
      section("memory", () -> java.nio.file.Files.readAllLines(java.nio.file.Path.of("/proc/self/status")).stream().filter(l -> l.startsWith("VmHWM")).forEach(Sections::say));
      return;
    }
    loaders();
    lambdas();
    hidden();
    unloading(300);
  }
}
