// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.io.InputStream;

/** One class in two loaders is two classes: other statics, other initialisation. */
final class LoaderCases {
  public static final class Target implements Runnable {
    static int count;
    static volatile int turn;
    int field;
    @Override public void run() { count++; field++; }
  }

  public static final class Turn implements Runnable {
    static volatile int turn;
    @Override public void run() { turn = turn + 1; }
  }

  static final class OwnLoader extends ClassLoader {
    OwnLoader() { super(LoaderCases.class.getClassLoader()); }

    Runnable make(Class<?> like) throws Exception {
      try (InputStream in = LoaderCases.class.getClassLoader().getResourceAsStream(like.getName().replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return (Runnable) defineClass(like.getName(), bytes, 0, bytes.length).getDeclaredConstructor().newInstance();
      }
    }
  }

  @Case.Alone
  static final class TwoLoaders_norace extends Case.Pair {
    Runnable one;
    Runnable two;
    void setup() throws Exception { one = new OwnLoader().make(Target.class); two = new OwnLoader().make(Target.class); }
    void a() { one.run(); }
    void b() { two.run(); }
  }

  @Case.Alone
  @Case.Racy({"semantics.LoaderCases$Target"})
  static final class OneLoader_race extends Case.Pair {
    Runnable one;
    Runnable two;
    void setup() throws Exception { one = new OwnLoader().make(Target.class); two = one.getClass().getDeclaredConstructor().newInstance(); }
    void a() { one.run(); }
    void b() { two.run(); }
  }

  @Case.Alone
  @Case.Racy({"semantics.LoaderCases$Target"})
  static final class SameObject_race extends Case.Pair {
    Runnable one;
    void setup() throws Exception { one = new OwnLoader().make(Target.class); new OwnLoader().make(Target.class).run(); new Target().run(); }
    void a() { one.run(); }
    void b() { one.run(); }
  }

  /** The volatile of one copy orders nothing for those who use the other. */
  @Case.Alone
  @Case.Racy("x")
  static final class VolatilesOfTwoLoaders_race extends Case.Pair {
    Runnable one;
    Runnable two;
    int x;
    void setup() throws Exception { one = new OwnLoader().make(Turn.class); two = new OwnLoader().make(Turn.class); }
    void a() { one.run(); x = 1; one.run(); }
    void b() { two.run(); x = 2; two.run(); }
  }

  @Case.Alone
  static final class VolatileOfOneLoader_norace extends Case.Pair {
    Runnable one;
    int x;
    void setup() throws Exception { one = new OwnLoader().make(Turn.class); }
    void a() { one.run(); x++; one.run(); }
    void b() { one.run(); x++; one.run(); }
  }

  /** Loading in both threads: the loader's own locks are the JDK's, and no race of anybody. */
  @Case.Alone
  @Case.Cold
  static final class LoadInBoth_norace extends Case.Pair {
    void a() throws Exception { new OwnLoader().make(Target.class).run(); }
    void b() throws Exception { new OwnLoader().make(Target.class).run(); }
  }

  /** Defined by one thread, used by another one that is not ordered after it but by the loader's look-up. */
  @Case.Alone
  @Case.Cold
  static final class FoundByName_norace extends Case.Pair {
    static final class Late { static int[] table = {1, 2, 3}; static int at(int i) { return table[i]; } }
    int inA;
    int inB;
    void a() throws Exception { inA = (int) Class.forName("semantics.LoaderCases$FoundByName_norace$Late").getDeclaredMethod("at", int.class).invoke(null, 1); }
    void b() throws Exception { inB = (int) Class.forName("semantics.LoaderCases$FoundByName_norace$Late").getDeclaredMethod("at", int.class).invoke(null, 1); }
  }

  public static final class Registry {
    public static int value;
    public static int other;
  }

  /** What its initialiser does is seen elsewhere. */
  public static class Base {
    static { Registry.value = 7; Registry.other = 7; }
  }

  public static final class Heir extends Base {
    static int look() { return Registry.value; }
  }

  public static final class UsesHeir implements Runnable {
    @Override public void run() { Heir.look(); }
  }

  public static final class WritingHeir extends Base {
    static void count() { Registry.other++; }
  }

  public static final class UsesWritingHeir implements Runnable {
    @Override public void run() { WritingHeir.count(); }
  }

  /** Has its classes defined by itself, but their superclass by another loader; and a third one has such a class too. */
  static final class HeirLoader extends ClassLoader {
    private final Upper upper = new Upper();
    private final Upper third = new Upper();

    static final class Upper extends ClassLoader {
      Upper() { super(LoaderCases.class.getClassLoader()); }
      void define(Class<?> like) throws Exception {
        byte[] bytes = bytesOf(like);
        defineClass(like.getName(), bytes, 0, bytes.length);
      }
    }

    HeirLoader() throws Exception {
      super(LoaderCases.class.getClassLoader());
      upper.define(Base.class);
      third.define(Base.class);
    }

    static byte[] bytesOf(Class<?> like) throws Exception {
      try (InputStream in = LoaderCases.class.getClassLoader().getResourceAsStream(like.getName().replace('.', '/') + ".class")) {
        return in.readAllBytes();
      }
    }

    @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      return name.equals(Base.class.getName()) ? upper.loadClass(name) : super.loadClass(name, resolve);
    }

    Runnable make(Class<?> heir, Class<?> user) throws Exception {
      byte[] bytes = bytesOf(heir);
      defineClass(heir.getName(), bytes, 0, bytes.length);
      bytes = bytesOf(user);
      return (Runnable) defineClass(user.getName(), bytes, 0, bytes.length).getDeclaredConstructor().newInstance();
    }
  }

  @Case.Alone
  @Case.Cold
  static final class SuperclassOfAnotherLoader_norace extends Case.Pair {
    Runnable user;
    void setup() throws Exception { user = new HeirLoader().make(Heir.class, UsesHeir.class); }
    void a() { user.run(); }
    void b() { user.run(); }
  }

  @Case.Alone
  @Case.Cold
  @Case.Racy("semantics.LoaderCases$Registry")
  static final class SuperclassOfAnotherLoader_race extends Case.Pair {
    Runnable user;
    void setup() throws Exception { user = new HeirLoader().make(WritingHeir.class, UsesWritingHeir.class); }
    void a() { user.run(); }
    void b() { user.run(); }
  }
}
