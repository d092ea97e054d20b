// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Accesses and calls through java.lang.reflect and method handles: the same races as without. */
final class ReflectionCases {
  static Field field(Class<?> owner, String name) {
    try {
      Field field = owner.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static Method method(Class<?> owner, String name) {
    try {
      Method method = owner.getDeclaredMethod(name);
      method.setAccessible(true);
      return method;
    } catch (NoSuchMethodException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static MethodHandles.Lookup lookup(Class<?> owner) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup());
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static RuntimeException unexpected(Throwable e) {
    return new IllegalStateException(e);
  }

  @Case.Racy("x")
  static final class FieldSet_race extends Case.Pair {
    int x;
    static final Field X = field(FieldSet_race.class, "x");
    void a() throws Exception { X.setInt(this, 1); }
    void b() throws Exception { X.setInt(this, 2); }
  }

  @Case.Racy("x")
  static final class FieldGet_race extends Case.Pair {
    String x;
    static final Field X = field(FieldGet_race.class, "x");
    void a() throws Exception { X.get(this); }
    void b() { x = "b"; }
  }

  @Case.Racy("x")
  static final class StaticFieldSet_race extends Case.Pair {
    static long x;
    static final Field X = field(StaticFieldSet_race.class, "x");
    void a() throws Exception { X.set(null, 1L); }
    void b() { x = 2; }
  }

  static final class FieldSetLocked_norace extends Case.Pair {
    int x;
    static final Field X = field(FieldSetLocked_norace.class, "x");
    void a() throws Exception { synchronized (this) { X.setInt(this, 1); } }
    void b() throws Exception { synchronized (this) { X.setInt(this, 2); x++; } }
  }

  static final class VolatileField_norace extends Case.Pair {
    volatile boolean flag;
    static final Field FLAG = field(VolatileField_norace.class, "flag");
    int x;
    void a() throws Exception { x = 1; FLAG.setBoolean(this, true); }
    void b() throws Exception { if (FLAG.getBoolean(this)) x = 2; }
  }

  static final class VolatileFieldThenDirect_norace extends Case.Pair {
    volatile Object flag;
    static final Field FLAG = field(VolatileFieldThenDirect_norace.class, "flag");
    int x;
    void a() throws Exception { x = 1; FLAG.set(this, "a"); }
    void b() { if (flag != null) x = 2; }
  }

  static final class StaticVolatileField_norace extends Case.Pair {
    static volatile int flag;
    static final Field FLAG = field(StaticVolatileField_norace.class, "flag");
    int x;
    void setup() { flag = 0; }
    void a() throws Exception { x = 1; FLAG.setInt(null, 1); }
    void b() { if (flag == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class Method_race extends Case.Pair {
    int x;
    void set() { x++; }
    static final Method SET = method(Method_race.class, "set");
    void a() throws Exception { SET.invoke(this); }
    void b() throws Exception { SET.invoke(this); }
  }

  static final class SynchronizedMethod_norace extends Case.Pair {
    int x;
    synchronized void set() { x++; }
    static final Method SET = method(SynchronizedMethod_norace.class, "set");
    void a() throws Exception { SET.invoke(this); }
    void b() throws Exception { SET.invoke(this); }
  }

  @Case.Racy("x")
  static final class Constructor_race extends Case.Pair {
    static int x;
    static final class Counted { Counted() { x++; } }
    void a() throws Exception { Counted.class.getDeclaredConstructor().newInstance(); }
    void b() throws Exception { Counted.class.getDeclaredConstructor().newInstance(); }
  }

  @Case.Racy("[]")
  static final class ArraySet_race extends Case.Pair {
    final int[] array = new int[2];
    void a() { Array.setInt(array, 1, 1); }
    void b() { Array.setInt(array, 1, 2); }
  }

  @Case.Racy("[]")
  static final class ArrayGet_race extends Case.Pair {
    final String[] array = new String[2];
    void a() { Array.get(array, 1); }
    void b() { array[1] = "b"; }
  }

  static final class ArrayOtherElement_norace extends Case.Pair {
    final int[] array = new int[2];
    void a() { Array.setInt(array, 0, 1); }
    void b() { Array.setInt(array, 1, 2); }
  }

  static final class Proxy_norace extends Case.Pair {
    interface Counter { void add(); }
    int x;
    final Counter counter = (Counter) Proxy.newProxyInstance(Counter.class.getClassLoader(), new Class<?>[] {Counter.class}, new InvocationHandler() {
      @Override public Object invoke(Object proxy, Method method, Object[] arguments) { synchronized (counter()) { x++; } return null; }
    });
    Object counter() { return this; }
    void a() { counter.add(); }
    void b() { counter.add(); }
  }

  @Case.Racy("x")
  static final class Proxy_race extends Case.Pair {
    interface Counter { void add(); }
    int x;
    final Counter counter = (Counter) Proxy.newProxyInstance(Counter.class.getClassLoader(), new Class<?>[] {Counter.class}, new InvocationHandler() {
      @Override public Object invoke(Object proxy, Method method, Object[] arguments) { x++; return null; }
    });
    void a() { counter.add(); }
    void b() { counter.add(); }
  }

  // ---- method handles --------------------------------------------------------------------------------------------------------

  @Case.Racy("x")
  static final class HandleOfMethod_race extends Case.Pair {
    int x;
    void set() { x++; }
    static final MethodHandle SET;
    static { try { SET = lookup(HandleOfMethod_race.class).findVirtual(HandleOfMethod_race.class, "set", MethodType.methodType(void.class)); } catch (ReflectiveOperationException e) { throw unexpected(e); } }
    void a() { try { SET.invokeExact(this); } catch (Throwable e) { throw unexpected(e); } }
    void b() { try { SET.invokeExact(this); } catch (Throwable e) { throw unexpected(e); } }
  }

  static final class HandleOfSynchronized_norace extends Case.Pair {
    int x;
    synchronized void set() { x++; }
    static final MethodHandle SET;
    static { try { SET = lookup(HandleOfSynchronized_norace.class).findVirtual(HandleOfSynchronized_norace.class, "set", MethodType.methodType(void.class)); } catch (ReflectiveOperationException e) { throw unexpected(e); } }
    void a() { try { SET.invokeExact(this); } catch (Throwable e) { throw unexpected(e); } }
    void b() { try { SET.invokeExact(this); } catch (Throwable e) { throw unexpected(e); } }
  }

  @Case.Racy("x")
  static final class Setter_race extends Case.Pair {
    int x;
    static final MethodHandle SET;
    static { try { SET = lookup(Setter_race.class).findSetter(Setter_race.class, "x", int.class); } catch (ReflectiveOperationException e) { throw unexpected(e); } }
    void a() { try { SET.invokeExact(this, 1); } catch (Throwable e) { throw unexpected(e); } }
    void b() { try { SET.invokeExact(this, 2); } catch (Throwable e) { throw unexpected(e); } }
  }

  @Case.Racy("x")
  static final class Getter_race extends Case.Pair {
    int x;
    int seen;
    static final MethodHandle GET;
    static { try { GET = lookup(Getter_race.class).findGetter(Getter_race.class, "x", int.class); } catch (ReflectiveOperationException e) { throw unexpected(e); } }
    void a() { try { seen = (int) GET.invokeExact(this); } catch (Throwable e) { throw unexpected(e); } }
    void b() { x = 2; }
  }

  static final class VolatileGetter_norace extends Case.Pair {
    volatile int flag;
    int x;
    static final MethodHandle GET;
    static { try { GET = lookup(VolatileGetter_norace.class).findGetter(VolatileGetter_norace.class, "flag", int.class); } catch (ReflectiveOperationException e) { throw unexpected(e); } }
    void a() { x = 1; flag = 1; }
    void b() { int seen; try { seen = (int) GET.invokeExact(this); } catch (Throwable e) { throw unexpected(e); } if (seen == 1) x = 2; }
  }

  @Case.Racy("[]")
  static final class ArrayElementSetter_race extends Case.Pair {
    final int[] array = new int[2];
    static final MethodHandle SET = MethodHandles.arrayElementSetter(int[].class);
    void a() { try { SET.invokeExact(array, 1, 1); } catch (Throwable e) { throw unexpected(e); } }
    void b() { array[1] = 2; }
  }

  // ---- what java.lang.Class keeps in volatile fields ------------------------------------------------------------------------

  enum Colour { RED, GREEN }

  /** The map of names is made by whoever asks first. */
  @Case.Cold
  static final class EnumValueOf_norace extends Case.Pair {
    void a() { Colour.valueOf("RED"); }
    void b() { Colour.valueOf("GREEN"); }
  }

  @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
  @interface Mark {}

  @Mark
  static class Marked {}

  @Case.Cold
  static final class Annotation_norace extends Case.Pair {
    void a() { Marked.class.getAnnotation(Mark.class); }
    void b() { Marked.class.isAnnotationPresent(Mark.class); }
  }

  /** The filters of reflection are in a map that is replaced when a class adds to them. */
  @Case.Cold
  static final class FieldFilter_norace extends Case.Pair {
    void a() throws Exception { Marked.class.getAnnotation(Mark.class); method(Annotation_norace.class, "a").getAnnotation(Mark.class); }
    void b() { Marked.class.getDeclaredFields(); }
  }

  static class Computed {
    int x;
  }

  static final ClassValue<Computed> VALUE = new ClassValue<>() {
    @Override
    protected Computed computeValue(Class<?> type) {
      Computed computed = new Computed();
      computed.x = 1;
      return computed;
    }
  };

  @Case.Cold
  static final class ClassValue_norace extends Case.Pair {
    int seen;
    int alsoSeen;
    void a() { seen = VALUE.get(ClassValue_norace.class).x; }
    void b() { alsoSeen = VALUE.get(ClassValue_norace.class).x; }
  }

  /** The entries of one class are in one table. */
  @Case.Cold
  static final class ClassValueRemoved_norace extends Case.Pair {
    static final ClassValue<String> OTHER = new ClassValue<>() {
      @Override
      protected String computeValue(Class<?> type) {
        return type.getName();
      }
    };
    void a() { OTHER.get(Marked.class); OTHER.remove(Marked.class); }
    void b() { OTHER.get(Marked.class); VALUE.get(Marked.class); }
  }

  @Case.Racy("x")
  static final class ClassValueWritten_race extends Case.Pair {
    static final class Counter {
      int x;
    }
    static final ClassValue<Counter> COUNTERS = new ClassValue<>() {
      @Override
      protected Counter computeValue(Class<?> type) {
        return new Counter();
      }
    };
    void a() { COUNTERS.get(ClassValueWritten_race.class).x++; }
    void b() { COUNTERS.get(ClassValueWritten_race.class).x++; }
  }
}
