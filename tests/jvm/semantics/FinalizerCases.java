// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The end of each constructor of an object happens before its finalizer (JLS 12.6, 17.4.5), whoever declares the finalizer and however the constructor
 * ends; nothing else does. The collector is asked until it has done its work.
 */
@SuppressWarnings({"deprecation", "removal"})
final class FinalizerCases {
  /** Makes an object that nobody keeps. Its finalizer signals 0. */
  abstract static class Finalized extends Case.Solo {
    abstract void make() throws Exception;

    void run() throws Exception {
      make();
      while (!Order.signalled(0)) System.gc();
    }
  }

  static final class TwoLevels_norace extends Finalized {
    abstract static class Base {
      abstract int sum();
      @Override protected void finalize() { if (sum() == 3) Order.signal(0); }
    }
    abstract static class Middle extends Base {
      int y;
      Middle() { y = 2; }
    }
    static final class Bottom extends Middle {
      int x;
      Bottom() { x = 1; }
      int sum() { return x + y; }
    }
    void make() { new Bottom(); }
  }

  @Case.Racy("y")
  static final class AfterTwoLevels_race extends Finalized {
    abstract static class Base {
      abstract int sum();
      @Override protected void finalize() { if (sum() == 3) Order.signal(0); }
    }
    abstract static class Middle extends Base {
      int y;
    }
    static final class Bottom extends Middle {
      int x;
      Bottom() { x = 1; }
      int sum() { return x + y; }
    }
    void make() { new Bottom().y = 2; }
  }

  /** The superclass is there when its subclasses are loaded, and is no news to the second of them. */
  static final class KnownSuperclass_norace extends Finalized {
    static class Base {
      static int made;
      int value() { return 0; }
      @Override protected void finalize() { if (value() == 1) Order.signal(0); }
    }
    static class First extends Base {
      int x;
      First() { made++; x = 1; }
    }
    static final class Second extends First {
      int y;
      Second() { y = 1; }
      @Override int value() { return x * y; }
    }
    void make() {
      new Base();
      new First();
      new Second();
    }
  }

  /** One class that inherits no finalizer and one that adds its own share their superclass. */
  static final class FinalizerBelow_norace extends Finalized {
    static class Base {
      int x;
      Base() { x = 1; }
    }
    static final class Plain extends Base {
      int y;
      Plain() { y = 1; }
    }
    static final class Below extends Base {
      int y;
      Below() { y = new Plain().y; }
      @Override protected void finalize() { if (x + y == 2) Order.signal(0); }
    }
    void make() { new Below(); }
  }

  /** Another object with a finalizer is made while the first is under construction. */
  static final class Nested_norace extends Finalized {
    abstract static class Base {
      abstract int value();
      @Override protected void finalize() { if (value() == 2) Order.signal(0); }
    }
    static final class Inner extends Base {
      int x;
      Inner() { x = 1; }
      int value() { return x; }
    }
    static final class Outer extends Base {
      int x;
      Outer() { new Inner(); x = 2; }
      int value() { return x; }
    }
    void make() { new Outer(); }
  }

  static final class ThisCall_norace extends Finalized {
    abstract static class Base {
      abstract int sum();
      @Override protected void finalize() { if (sum() == 3) Order.signal(0); }
    }
    static final class Made extends Base {
      int x;
      int y;
      Made(int x) { this.x = x; }
      Made() { this(1); y = 2; }
      int sum() { return x + y; }
    }
    void make() { new Made(); }
  }

  static final class Throws_norace extends Finalized {
    static final class Made {
      int x;
      Made(int n) { x = n; if (n == 1) throw new IllegalStateException(); }
      @Override protected void finalize() { if (x == 1) Order.signal(0); }
    }
    void make() {
      try {
        new Made(1);
      } catch (IllegalStateException expected) {
        return;
      }
      throw new AssertionError();
    }
  }

  static final class InheritedThrows_norace extends Finalized {
    abstract static class Base {
      int y;
      Base(int n) { y = n; }
      abstract int sum();
      @Override protected void finalize() { if (sum() == 3) Order.signal(0); }
    }
    static final class Made extends Base {
      int x;
      Made(int n) { super(n); x = fail(n); }
      private int fail(int n) { x = 1; throw new IllegalStateException(); }
      int sum() { return x + y; }
    }
    void make() {
      try {
        new Made(2);
      } catch (IllegalStateException expected) {
        return;
      }
      throw new AssertionError();
    }
  }

  static final class ThrowsAfterThisCall_norace extends Finalized {
    abstract static class Base {
      abstract int sum();
      @Override protected void finalize() { if (sum() == 3) Order.signal(0); }
    }
    static final class Made extends Base {
      int x;
      int y;
      Made(int x) { this.x = x; }
      Made() { this(1); y = 2; throw new IllegalStateException(); }
      int sum() { return x + y; }
    }
    void make() {
      try {
        new Made();
      } catch (IllegalStateException expected) {
        return;
      }
      throw new AssertionError();
    }
  }

  @Case.Racy("x")
  static final class WrittenAfterThrow_race extends Finalized {
    abstract static class Base {
      abstract int value();
      @Override protected void finalize() { if (value() == 2) Order.signal(0); }
    }
    static final class Made extends Base {
      int x;
      Made(Made[] out) { out[0] = this; x = 1; throw new IllegalStateException(); }
      int value() { return x; }
    }
    void make() {
      Made[] out = new Made[1];
      try {
        new Made(out);
      } catch (IllegalStateException expected) {
        out[0].x = 2;
      }
    }
  }

  /** What the finalizer meets is still in use by another thread. */
  @Case.Racy("x")
  static final class WrittenLater_race extends Case.Solo {
    static final class State { int x; }
    abstract static class Base {
      abstract void end();
      @Override protected void finalize() { Order.enter(A); end(); Order.leave(A); Order.signal(0); }
    }
    static final class Made extends Base {
      final State state;
      Made(State state) { this.state = state; state.x = 1; }
      void end() { state.x++; }
    }
    static void make(State state) { new Made(state); }
    void run() {
      State state = new State();
      make(state);
      while (!Order.hasArrived(A)) System.gc();
      Order.enter(B);
      state.x = 2;
      Order.leave(B);
      while (!Order.signalled(0)) System.gc();
    }
  }

  /** Who calls the method by himself starts no finalizer. */
  @Case.Racy("x")
  static final class CalledByHand_race extends FreezeCases.UnseenPublication {
    static final class Made {
      int x;
      Made() { x = 1; }
      @Override protected void finalize() { x++; }
    }
    Object make() { return new Made(); }
    int look(Object found) {
      ((Made) found).finalize();
      return 0;
    }
  }

  /** A clone has no constructor. */
  @Case.Racy("x")
  static final class Clone_race extends Finalized {
    static final class State { int x; }
    static final class Made implements Cloneable {
      final State state = new State();
      Made copy() {
        try {
          return (Made) super.clone();
        } catch (CloneNotSupportedException e) {
          throw new AssertionError(e);
        }
      }
      @Override protected void finalize() { if (state.x == 1) Order.signal(0); }
    }
    void make() {
      Made made = new Made();
      made.state.x = 1;
      made.copy();
    }
  }

  /** The superclass is in another loader. */
  public abstract static class Foreign {
    protected abstract int value();
    @Override protected void finalize() { if (value() == 1) Order.signal(0); }
  }

  public static final class Local extends Foreign {
    int x;
    public Local() { x = 1; }
    @Override protected int value() { return x; }
  }

  public static final class LocalWritten extends Foreign implements Runnable {
    int x;
    @Override public void run() { x = 1; }
    @Override protected int value() { return x; }
  }

  static final class OwnLoader extends ClassLoader {
    OwnLoader() { super(FinalizerCases.class.getClassLoader()); }

    Object make(Class<?> like) throws Exception {
      try (InputStream in = FinalizerCases.class.getClassLoader().getResourceAsStream(like.getName().replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(like.getName(), bytes, 0, bytes.length).getDeclaredConstructor().newInstance();
      }
    }
  }

  @Case.Alone
  static final class OtherLoader_norace extends Finalized {
    void make() throws Exception { new OwnLoader().make(Local.class); }
  }

  @Case.Alone
  @Case.Racy("semantics.FinalizerCases$LocalWritten")
  static final class WrittenInOtherLoader_race extends Finalized {
    void make() throws Exception { ((Runnable) new OwnLoader().make(LocalWritten.class)).run(); }
  }

  /** The accesses of hidden classes are not watched, but what they call is. */
  public static class State {
    int x;
    public void set() { x = 1; }
  }

  public abstract static class HiddenBase {
    public final State state = new State();
    @Override protected void finalize() { if (state.x == 1) Order.signal(0); }
  }

  public static final class HiddenMade extends HiddenBase {
    public HiddenMade() { state.set(); }
  }

  static Object makeHidden(Class<?> like) throws Exception {
    try (InputStream in = FinalizerCases.class.getClassLoader().getResourceAsStream(like.getName().replace('.', '/') + ".class")) {
      return MethodHandles.lookup().defineHiddenClass(in.readAllBytes(), true).lookupClass().getDeclaredConstructor().newInstance();
    }
  }

  @Case.Alone
  static final class HiddenClass_norace extends Finalized {
    void make() throws Exception { makeHidden(HiddenMade.class); }
  }

  public static final class HiddenUnset extends HiddenBase {}

  @Case.Alone
  @Case.Racy("semantics.FinalizerCases$State")
  static final class AfterHiddenClass_race extends Finalized {
    void make() throws Exception { ((HiddenBase) makeHidden(HiddenUnset.class)).state.set(); }
  }

  /** The finalizer is the JDK's, and calls what the program has overridden. */
  static final class OfTheJdk_norace extends Finalized {
    static final class Stream extends javax.imageio.stream.ImageInputStreamImpl {
      int x;
      Stream() { x = 1; }
      @Override public int read() { return -1; }
      @Override public int read(byte[] to, int at, int length) { return -1; }
      @Override public void close() { if (x == 1) Order.signal(0); }
    }
    void make() { new Stream(); }
  }

  @Case.Racy("x")
  static final class AfterConstructorOfTheJdk_race extends Finalized {
    static final class Stream extends javax.imageio.stream.ImageInputStreamImpl {
      int x;
      @Override public int read() { return -1; }
      @Override public int read(byte[] to, int at, int length) { return -1; }
      @Override public void close() { if (x == 1) Order.signal(0); }
    }
    void make() { new Stream().x = 1; }
  }

  /** A lock that only the object leads to orders its users and its finalizer as any other does. */
  static final class Locked_norace extends Finalized {
    static final class Made {
      final Object lock = new Object();
      int x;
      void use() { synchronized (lock) { x = 1; } }
      @Override protected void finalize() { synchronized (lock) { if (x == 1) Order.signal(0); } }
    }
    void make() { new Made().use(); }
  }

  static final class LockedItself_norace extends Finalized {
    static final class Made {
      int x;
      void use() { synchronized (this) { x = 1; } }
      @Override protected void finalize() { synchronized (this) { if (x == 1) Order.signal(0); } }
    }
    void make() { new Made().use(); }
  }

  @Case.Racy("x")
  static final class OtherLock_race extends Finalized {
    static final class Made {
      final Object lock = new Object();
      final Object other = new Object();
      int x;
      void use() { synchronized (lock) { x = 1; } }
      @Override protected void finalize() { synchronized (other) { if (x == 1) Order.signal(0); } }
    }
    void make() { new Made().use(); }
  }

  /** The lock was in use before there was any object with a finalizer. */
  @Case.Alone
  static final class LockOfBefore_norace extends Finalized {
    static final class Made {
      final Object lock;
      int x;
      Made(Object lock) { this.lock = lock; }
      @Override protected void finalize() { synchronized (lock) { if (x == 1) Order.signal(0); } }
    }
    void make() {
      Object lock = new Object();
      synchronized (lock) { Order.leave(A); }
      Made made = new Made(lock);
      synchronized (lock) { made.x = 1; }
    }
  }

  static final class AtomicArray_norace extends Finalized {
    static final class Made {
      final AtomicIntegerArray done = new AtomicIntegerArray(1);
      int x;
      void use() { x = 1; done.set(0, 1); }
      @Override protected void finalize() { if (done.get(0) + x == 2) Order.signal(0); }
    }
    void make() { new Made().use(); }
  }

  @Case.Racy("x")
  static final class AfterAtomicArray_race extends Finalized {
    static final class Made {
      final AtomicIntegerArray done = new AtomicIntegerArray(1);
      int x;
      void use() { done.set(0, 1); x = 1; }
      @Override protected void finalize() { if (done.get(0) + x == 2) Order.signal(0); }
    }
    void make() { new Made().use(); }
  }
}
