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
    static native void await(Object o, long millis) throws InterruptedException;  // o.wait(millis)
    static native void signal(Object o);  // o.notify()
    static native boolean hasEnded(Thread thread);  // asked in a way that orders nothing
  }

  /** Synchronized native methods: the JVM takes the monitor around them. */
  static class Locked {
    static { System.load(System.getProperty("semantics.native")); }

    synchronized native void locked(Runnable action);
    static synchronized native void lockedByClass(Runnable action);
    // Arguments in registers of both kinds and on the stack, and a result of each kind.
    synchronized native double sum(Runnable action, int a, long b, float c, double d, byte e, short f, long g, double h, double i, double j, double k,
        double l, double m, double n, double o);
    static synchronized native long last(Runnable action, long a, long b, long c, long d, long e, long f);
  }

  static final class SynchronizedNative_norace extends Case.Pair {
    final Locked lock = new Locked();
    int x;
    void a() { lock.locked(() -> x++); }
    void b() { lock.locked(() -> x++); }
  }

  static final class SynchronizedNativeAndBlock_norace extends Case.Pair {
    final Locked lock = new Locked();
    int x;
    void a() { lock.locked(() -> x++); }
    void b() { synchronized (lock) { x++; } }
  }

  static final class StaticSynchronizedNative_norace extends Case.Pair {
    int x;
    void a() { Locked.lockedByClass(() -> x++); }
    void b() { synchronized (Locked.class) { x++; } }
  }

  static final class SynchronizedNativeArguments_norace extends Case.Pair {
    final Locked lock = new Locked();
    int x;
    void call() {
      double sum = lock.sum(() -> x++, 1, 2L, 4f, 8d, (byte) 16, (short) 32, 64L, 128, 256, 512, 1024, 2048, 4096, 8192, 16384);
      long last = Locked.last(() -> { }, 1, 2, 3, 4, 5, 1L << 40);
      if (sum != 32767 || last != 1L << 40) throw new AssertionError(sum + " " + last);
    }
    void a() { call(); }
    void b() { call(); }
  }

  static final class SynchronizedNativeThrows_norace extends Case.Pair {
    final Locked lock = new Locked();
    int x;
    void call() { try { lock.locked(() -> { x++; throw new IllegalStateException("expected"); }); throw new AssertionError(); } catch (IllegalStateException expected) { } }
    void a() { call(); }
    void b() { call(); }
  }

  @Case.Racy("x")
  static final class SynchronizedNativeOther_race extends Case.Pair {
    final Locked one = new Locked();
    final Locked two = new Locked();
    int x;
    void a() { one.locked(() -> x++); }
    void b() { two.locked(() -> x++); }
  }

  @Case.Racy("x")
  static final class SynchronizedNativeAfter_race extends Case.Pair {
    final Locked lock = new Locked();
    int x;
    void a() { lock.locked(() -> { }); x++; }
    void b() { lock.locked(() -> { }); x++; }
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

  static final class Wait_norace extends Case.Handoff {
    boolean ready;
    int x;
    synchronized void a() { x = 1; ready = true; Jni.signal(this); }
    synchronized void b() throws Exception { x = 2; while (!ready) Jni.await(this, 0); x = 3; }
  }

  static final class WaitMillisForBlock_norace extends Case.Handoff {
    boolean ready;
    int x;
    void a() { synchronized (this) { x = 1; ready = true; notifyAll(); } }
    void b() throws Exception { synchronized (this) { x = 2; while (!ready) Jni.await(this, 1_000_000); x = 3; } }
  }

  @Case.Racy("x")
  static final class WaitTooEarly_race extends Case.Handoff {
    boolean ready;
    int x;
    void a() { x = 1; synchronized (this) { ready = true; Jni.signal(this); } }
    void b() throws Exception { x = 2; synchronized (this) { while (!ready) Jni.await(this, 0); } }
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
