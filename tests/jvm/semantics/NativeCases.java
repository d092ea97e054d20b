// SPDX-License-Identifier: Apache-2.0
package semantics;

/** Monitors that native code enters and leaves through JNI. */
final class NativeCases {
  static final class Jni {
    static { System.load(System.getProperty("semantics.native")); }

    static native void enter(Object o);
    static native int exit(Object o);
    static native void locked(Object o, Runnable action);
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
}
