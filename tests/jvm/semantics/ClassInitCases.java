// SPDX-License-Identifier: Apache-2.0
package semantics;

/** Class initialisation (JLS 12.4.2): what the initialiser did happens before every use by another thread. */
final class ClassInitCases {
  /** Collections that classes of java.lang make when they are initialised. */
  @Case.Cold
  static final class Environment_norace extends Case.Pair {
    void a() { System.getenv("PATH"); }
    void b() { System.getenv("PATH"); }
  }

  @Case.Cold
  static final class UnicodeBlock_norace extends Case.Pair {
    void a() { Character.UnicodeBlock.forName("BASIC_LATIN"); }
    void b() { Character.UnicodeBlock.forName("BASIC_LATIN"); }
  }

  @Case.Cold
  static final class UnicodeScript_norace extends Case.Pair {
    void a() { Character.UnicodeScript.forName("LATN"); }
    void b() { Character.UnicodeScript.forName("LATN"); }
  }

  @Case.Cold
  static final class ModulesOfStackTrace_norace extends Case.Pair {
    static StackTraceElement[] traceThroughTheJdk() {
      try {
        return java.util.List.of(1).get(7) == 0 ? null : null;
      } catch (IndexOutOfBoundsException e) {
        return e.getStackTrace();
      }
    }
    void a() { traceThroughTheJdk(); }
    void b() { traceThroughTheJdk(); }
  }

  @Case.Cold
  static final class Holder_norace extends Case.Pair {
    static final class Data { int v; Data(int v) { this.v = v; } }
    static final class Holder { static final Data INSTANCE = new Data(7); }
    int inA;
    int inB;
    void a() { inA = Holder.INSTANCE.v; }
    void b() { inB = Holder.INSTANCE.v; }
  }

  @Case.Cold
  @Case.Racy("v")
  static final class HolderThenWrite_race extends Case.Pair {
    static final class Data { int v; Data(int v) { this.v = v; } }
    static final class Holder { static final Data INSTANCE = new Data(7); }
    void a() { Holder.INSTANCE.v = 1; }
    void b() { Holder.INSTANCE.v = 2; }
  }

  @Case.Cold
  static final class HolderGetter_norace extends Case.Pair {
    static final class Data { int v; Data(int v) { this.v = v; } }
    static final class Holder {
      static final Data INSTANCE = new Data(7);
      static Data get() { return INSTANCE; }
    }
    int inA;
    int inB;
    void a() { inA = Holder.get().v; }
    void b() { inB = Holder.get().v; }
  }

  @Case.Cold
  static final class EnumSingleton_norace extends Case.Pair {
    enum Single { INSTANCE; int v; int[] table; Single() { v = 7; table = new int[] {1, 2}; } }
    int inA;
    int inB;
    void a() { inA = Single.INSTANCE.v + Single.INSTANCE.table[1]; }
    void b() { inB = Single.INSTANCE.v + Single.INSTANCE.table[1]; }
  }

  @Case.Cold
  @Case.Racy("v")
  static final class EnumState_race extends Case.Pair {
    enum Single { INSTANCE; int v; }
    void a() { Single.INSTANCE.v++; }
    void b() { Single.INSTANCE.v++; }
  }

  @Case.Cold
  static final class EnumWithBodies_norace extends Case.Pair {
    enum Op {
      ADD { int apply(int x) { return x + table[0]; } }, TWICE { int apply(int x) { return x * table[1]; } };
      final int[] table = {1, 2};
      abstract int apply(int x);
    }
    int inA;
    int inB;
    void a() { for (Op op : Op.values()) inA += op.apply(1); }
    void b() { for (Op op : Op.values()) inB += op.apply(1); }
  }

  @Case.Cold
  static final class EnumSwitch_norace extends Case.Pair {
    enum Colour { RED, GREEN }
    int inA;
    int inB;
    int number(Colour c) { switch (c) { case RED: return 1; default: return 2; } }
    void a() { inA = number(Colour.RED); }
    void b() { inB = number(Colour.GREEN); }
  }

  @Case.Cold
  static final class InterfaceConstant_norace extends Case.Pair {
    static final class Data { int v; Data(int v) { this.v = v; } }
    interface Constants { Data DATA = new Data(7); }
    static final class User implements Constants { int get() { return DATA.v; } }
    int inA;
    int inB;
    void a() { inA = Constants.DATA.v; }
    void b() { inB = new User().get(); }
  }

  @Case.Cold
  static final class InterfaceArrayConstant_norace extends Case.Pair {
    interface Constants { int[] PRIMES = {2, 3, 5}; }
    int inA;
    int inB;
    void a() { inA = Constants.PRIMES[1]; }
    void b() { inB = Constants.PRIMES[1]; }
  }

  @Case.Cold
  static final class StaticBlock_norace extends Case.Pair {
    static final class Config { static int x; static long y; static { x = 5; y = 6; } }
    long inA;
    long inB;
    void a() { inA = Config.x + Config.y; }
    void b() { inB = Config.x + Config.y; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class StaticBlockThenWrite_race extends Case.Pair {
    static final class Config { static int x; static { x = 5; } }
    void a() { Config.x = 6; }
    void b() { Config.x = 7; }
  }

  @Case.Cold
  static final class StaticMethodUses_norace extends Case.Pair {
    static final class Table { static int[] table = new int[4]; static { for (int i = 0; i < 4; i++) table[i] = i; } static int at(int i) { return table[i]; } }
    int inA;
    int inB;
    void a() { inA = Table.at(2); }
    void b() { inB = Table.at(2); }
  }

  @Case.Cold
  static final class ConstructorUses_norace extends Case.Pair {
    static final class Numbered { static int[] first = {41}; final int number; Numbered() { number = first[0]; } }
    int inA;
    int inB;
    void a() { inA = new Numbered().number; }
    void b() { inB = new Numbered().number; }
  }

  @Case.Cold
  static final class Superclass_norace extends Case.Pair {
    static class Base { static int[] table = {1, 2}; }
    static final class Derived extends Base { static int[] more = {table[0], 3}; }
    int inA;
    int inB;
    void a() { inA = Derived.more[1]; }
    void b() { inB = Base.table[1] + Derived.more[1]; }
  }

  @Case.Cold
  static final class SuperclassThroughSubclass_norace extends Case.Pair {
    static class Base { static int[] table = {1, 2}; int get() { return table[1]; } }
    static final class Derived extends Base { }
    int inA;
    int inB;
    void a() { inA = new Derived().get(); }
    void b() { inB = new Derived().get(); }
  }

  @Case.Cold
  static final class Chain_norace extends Case.Pair {
    static final class First { static final int[] V = {1}; }
    static final class Second { static final int[] V = {First.V[0] + 1}; }
    int inA;
    int inB;
    void a() { inA = Second.V[0]; }
    void b() { inB = First.V[0] + Second.V[0]; }
  }

  @Case.Cold
  static final class ByForName_norace extends Case.Pair {
    static final class Target { static int[] v = {1}; }
    int inA;
    int inB;
    void a() throws Exception { Class.forName(Target.class.getName()); inA = Target.v[0]; }
    void b() throws Exception { Class.forName(Target.class.getName()); inB = Target.v[0]; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class InitialiserWritesElsewhere_race extends Case.Pair {
    static int x;
    static final class Toucher { static { x = 1; } static void touch() { } }
    void a() { Toucher.touch(); }
    void b() { x = 2; }
  }

  @Case.Cold
  static final class InitialiserReadsElsewhere_norace extends Case.Pair {
    static int x = 3;
    static final class Reader { static final int SEEN = x; static int seen() { return SEEN; } }
    int inA;
    int inB;
    void a() { inA = Reader.seen(); }
    void b() { inB = Reader.seen() + x; }
  }

  @Case.Cold
  static final class InstanceMethodOfInitialised_norace extends Case.Pair {
    static class Task { static int[] table = {7}; int run() { return table[0]; } }
    final Task[] made = new Task[2];
    int inA;
    int inB;
    void a() { inA = new Task().run(); }
    void b() { inB = new Task().run(); }
  }

  @Case.Cold
  static final class RecordStatics_norace extends Case.Pair {
    record Point(int x) { static final int[] ORIGIN = {0, 1}; static int y() { return ORIGIN[1]; } }
    int inA;
    int inB;
    void a() { inA = new Point(Point.y()).x(); }
    void b() { inB = new Point(Point.y()).x(); }
  }

  @Case.Cold
  static final class AssertionsDisabledFlag_norace extends Case.Pair {
    static final class Checked { static int twice(int x) { assert x > 0; return 2 * x; } }
    int inA;
    int inB;
    void a() { inA = Checked.twice(1); }
    void b() { inB = Checked.twice(2); }
  }

  @Case.Cold
  static final class LambdaInInitialiser_norace extends Case.Pair {
    static final class Registry {
      static final java.util.Map<String, java.util.function.IntSupplier> MAP = new java.util.HashMap<>();
      static { MAP.put("one", () -> 1); }
    }
    int inA;
    int inB;
    void a() { inA = Registry.MAP.get("one").getAsInt(); }
    void b() { inB = Registry.MAP.get("one").getAsInt(); }
  }

  @Case.Cold
  static final class FailedInitialiser_norace extends Case.Pair {
    static final int[] x = new int[1];
    static final class Broken { static { fail(); } static void fail() { x[0]++; throw new IllegalStateException(); } static void touch() { } }
    void use() { try { Broken.touch(); } catch (LinkageError expected) { int seen = x[0]; } }
    void a() { use(); }
    void b() { use(); }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class AfterFailedInitialiser_race extends Case.Pair {
    static final class Broken { static { fail(); } static void fail() { throw new IllegalStateException(); } static void touch() { } }
    int x;
    void use() { try { Broken.touch(); } catch (LinkageError expected) { x++; } }
    void a() { use(); }
    void b() { use(); }
  }

  /** The JDK's own initialisers leave collections behind as well. */
  @Case.Cold
  static final class StackWalker_norace extends Case.Pair {
    void a() { StackWalker.getInstance().forEach(frame -> {}); }
    void b() { StackWalker.getInstance().forEach(frame -> {}); }
  }

  /** What an initialiser wrote elsewhere, read after the class was brought to its initialised state in some way. */
  abstract static class Registered extends Case.Pair {
    int inA;
    int inB;
    abstract int initialiseAndLook() throws Exception;
    void a() throws Exception { inA = initialiseAndLook(); }
    void b() throws Exception { inB = initialiseAndLook(); }
  }

  @Case.Cold
  static final class ForName_norace extends Registered {
    static int[] registry = new int[1];
    static final class Plugin { static { registry[0] = 1; } }
    int initialiseAndLook() throws Exception { Class.forName(ForName_norace.class.getName() + "$Plugin"); return registry[0]; }
  }

  @Case.Cold
  static final class ForNameWithLoader_norace extends Registered {
    static int[] registry = new int[1];
    static final class Plugin { static { registry[0] = 1; } }
    int initialiseAndLook() throws Exception {
      Class.forName(ForNameWithLoader_norace.class.getName() + "$Plugin", true, ForNameWithLoader_norace.class.getClassLoader());
      return registry[0];
    }
  }

  @Case.Cold
  static final class EnsureInitialized_norace extends Registered {
    static int[] registry = new int[1];
    static final class Plugin { static { registry[0] = 1; } }
    int initialiseAndLook() throws Exception { java.lang.invoke.MethodHandles.lookup().ensureInitialized(Plugin.class); return registry[0]; }
  }

  @Case.Cold
  static final class ReflectiveWrite_norace extends Registered {
    static int[] registry = new int[1];
    static final class Plugin { static volatile int uses; static { registry[0] = 1; } }
    int initialiseAndLook() throws Exception { Plugin.class.getDeclaredField("uses").setInt(null, 1); return registry[0]; }
  }

  @Case.Cold
  static final class MethodOfSubclass_norace extends Registered {
    static int[] registry = new int[1];
    static class Plugin { static { registry[0] = 1; } }
    static class Middle extends Plugin {}
    static final class Special extends Middle { static void touch() {} }
    int initialiseAndLook() { Special.touch(); return registry[0]; }
  }

  @Case.Cold
  static final class FieldOfSubclass_norace extends Registered {
    static int[] registry = new int[1];
    static class Plugin { static { registry[0] = 1; } }
    static final class Special extends Plugin { static long uses; }
    int initialiseAndLook() { return Special.uses == 0 ? registry[0] : 0; }
  }

  /** The one is initialised by the first thread, its sister by the second: their superclass once. */
  @Case.Cold
  static final class Sisters_norace extends Case.Pair {
    static int[] registry = new int[1];
    static class Plugin { static { registry[0] = 1; } }
    static final class One extends Plugin { static int[] own = {1}; static void touch() {} }
    static final class Other extends Plugin { static int[] own = {2}; static void touch() {} }
    int inA;
    int inB;
    void a() { One.touch(); inA = registry[0]; }
    void b() { Other.touch(); inB = registry[0]; }
  }

  /** The initialiser of the class orders nobody who does not use it. */
  @Case.Cold
  @Case.Racy("[]")
  static final class NotInitialised_race extends Case.Pair {
    static int[] registry = new int[1];
    static class Plugin { static { registry[0] = 1; } static void touch() {} }
    int inA;
    int inB;
    void a() { Plugin.touch(); inA = registry[0]; }
    void b() throws Exception {
      Class.forName(NotInitialised_race.class.getName() + "$Plugin", false, NotInitialised_race.class.getClassLoader());
      inB = registry[0];
    }
  }

  /** The object comes without a constructor, so its methods are the first use of the class by their thread. */
  @Case.Cold
  static final class ConstantOfAllocatedObject_norace extends Case.Pair {
    static final class Data { int v; Data(int v) { this.v = v; } }
    static final class Reader {
      private static final Data INSTANCE = new Data(7);
      private static final int[] TABLE = {1, 2, 3};
      int read() { return INSTANCE.v; }
      int look() { return TABLE[1]; }
    }
    int inA;
    int inB;
    void a() { Reader reader = new Reader(); inA = reader.read() + reader.look(); }
    void b() throws InstantiationException {
      Reader reader = (Reader) Order.unsafe().allocateInstance(Reader.class);
      inB = reader.read() + reader.look();
    }
  }

  @Case.Cold
  @Case.Racy("v")
  static final class ConstantOfAllocatedObject_race extends Case.Pair {
    static final class Data { int v; Data(int v) { this.v = v; } }
    static final class Writer {
      private static final Data INSTANCE = new Data(7);
      void write() { INSTANCE.v++; }
    }
    void a() { new Writer().write(); }
    void b() throws InstantiationException { ((Writer) Order.unsafe().allocateInstance(Writer.class)).write(); }
  }

  /** An error of the program's own is not about a class whose initialiser has failed. */
  @Case.Cold
  @Case.Racy("x")
  static final class OwnNoClassDefFoundError_race extends Case.Pair {
    static final class Failing {
      static { if (Order.first() >= 0) throw new IllegalStateException(); }
      static void touch() { }
    }
    int x;
    void a() {
      x = 1;
      try {
        Failing.touch();
      } catch (ExceptionInInitializerError e) {
        // As it must be.
      }
    }
    void b() { new NoClassDefFoundError("own"); int seen = x; }
  }
}
