// SPDX-License-Identifier: Apache-2.0
package semantics;

/** What native code does through JNI: monitors entered and left, static methods called. */
final class NativeCases {
  static final class Jni {
    static { System.load(System.getProperty("semantics.native")); }

    static native void enter(Object o);
    static native int exit(Object o);
    static native void locked(Object o, Runnable action);
    // A static method use() is called without a look at whether its class is initialised; all of it is hidden from the agent.
    static native void remember(Class<?> type);
    static native void callRemembered();
    static native void entered();
    static native void awaitEntered();
  }

  static final class EnterExit_norace extends Case.Pair {
    int x;
    void a() { Jni.enter(this); x++; Jni.exit(this); }
    void b() { Jni.enter(this); x++; Jni.exit(this); }
  }

  static final class NativeThenJava_norace extends Case.Pair {
    int x;
    void a() { Jni.enter(this); x++; Jni.exit(this); }
    void b() { synchronized (this) { x++; } }
  }

  static final class JavaThenNative_norace extends Case.Pair {
    int x;
    synchronized void set() { x++; }
    void a() { set(); }
    void b() { Jni.enter(this); x++; Jni.exit(this); }
  }

  static final class Callback_norace extends Case.Pair {
    int x;
    void a() { Jni.locked(this, () -> x++); }
    void b() { Jni.locked(this, () -> x++); }
  }

  static final class PendingException_norace extends Case.Pair {
    int x;
    void fail() { try { Jni.locked(this, () -> { x++; throw new IllegalStateException("expected"); }); throw new AssertionError(); } catch (IllegalStateException expected) { } }
    void a() { fail(); }
    void b() { fail(); }
  }

  @Case.Racy("x")
  static final class OtherMonitor_race extends Case.Pair {
    final Object one = new Object();
    final Object two = new Object();
    int x;
    void a() { Jni.enter(one); x++; Jni.exit(one); }
    void b() { Jni.enter(two); x++; Jni.exit(two); }
  }

  @Case.Racy("x")
  static final class AfterExit_race extends Case.Pair {
    int x;
    void a() { Jni.enter(this); Jni.exit(this); x++; }
    void b() { Jni.enter(this); Jni.exit(this); x++; }
  }

  /** Who leaves a monitor that it does not own is told off, and has released nothing. */
  @Case.Racy("x")
  static final class NotOwner_race extends Case.Pair {
    int x;
    void a() { x++; if (Jni.exit(this) == 0) throw new AssertionError(); }
    void b() { Jni.enter(this); Jni.exit(this); x++; if (Jni.exit(this) == 0) throw new AssertionError(); }
  }

  /** CallStaticVoidMethod does not wait for an initialiser that is under way (java.desktop calls Disposer so); the read of DATA does. */
  @Case.Cold
  static final class StaticCallDuringInit_norace extends Case.Solo {
    static final class Late {
      static final int[] DATA = {0};
      static {
        DATA[0] = 7;
        Jni.remember(Late.class);
        Jni.awaitEntered();
      }
      static int seen;
      static void use() { Jni.entered(); seen = DATA[0]; }
    }
    void run() throws Exception {
      Thread initialiser = new Thread(() -> new Late());
      initialiser.start();
      Jni.callRemembered();
      initialiser.join();
      if (Late.seen != 7) throw new AssertionError();
    }
  }
}
