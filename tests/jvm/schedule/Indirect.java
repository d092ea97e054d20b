// SPDX-License-Identifier: Apache-2.0

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Waits and notifications that no call instruction of the program says: by reflection, through method handles and by method references. A
 * queue with one place goes by each of them; whoever comes out of {@code wait} looks again.
 */
public final class Indirect {
  interface Action { void run() throws Throwable; }

  interface Timed { void run(long time) throws Throwable; }

  static final int ITEMS = 40;  // reflection changes its ways after fifteen calls
  static final long LONG = 3_600_000;  // of the model's time: an hour

  /** One way to wait and to notify. */
  record Way(String name, Action waiting, Timed timed, Action notifying) {}

  static Way direct(Object lock) {
    return new Way("direct", () -> lock.wait(), millis -> lock.wait(millis), () -> lock.notifyAll());
  }

  static Way references(Object lock) {
    return new Way("references", lock::wait, lock::wait, lock::notifyAll);
  }

  static Way reflection(Object lock) throws Exception {
    Method wait = Object.class.getMethod("wait");
    Method timed = Object.class.getMethod("wait", long.class);
    Method notify = Object.class.getMethod("notifyAll");
    return new Way("reflection", () -> unwrapped(wait, lock), millis -> unwrapped(timed, lock, millis), () -> unwrapped(notify, lock));
  }

  static Way handles(Object lock) throws Exception {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    MethodHandle wait = lookup.findVirtual(Object.class, "wait", MethodType.methodType(void.class));
    MethodHandle timed = lookup.findVirtual(Object.class, "wait", MethodType.methodType(void.class, long.class));
    MethodHandle notify = lookup.findVirtual(Object.class, "notifyAll", MethodType.methodType(void.class)).bindTo(lock);
    return new Way("handles", () -> { wait.invokeExact(lock); }, millis -> timed.invokeWithArguments(lock, millis), () -> notify.invoke());
  }

  static void unwrapped(Method method, Object... arguments) throws Throwable {
    try {
      Object receiver = arguments[0];
      method.invoke(receiver, java.util.Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  static Thread start(String name, Action action) {
    Thread thread = new Thread(() -> {
      try {
        action.run();
      } catch (Throwable e) {
        throw new AssertionError(name, e);
      }
    }, name);
    thread.start();
    return thread;
  }

  /** Every way of waiting meets every way of notifying. */
  static int queue(Object lock, Way producer, Way consumer) throws Exception {
    int[] place = {-1};
    int[] sum = {0};
    Thread put = start("put by " + producer.name, () -> {
      for (int i = 0; i < ITEMS; i++) {
        synchronized (lock) {
          while (place[0] >= 0) producer.waiting.run();
          place[0] = i;
          producer.notifying.run();
        }
      }
    });
    Thread take = start("take by " + consumer.name, () -> {
      for (int i = 0; i < ITEMS; i++) {
        synchronized (lock) {
          while (place[0] < 0) consumer.timed.run(LONG);
          sum[0] += place[0];
          place[0] = -1;
          consumer.notifying.run();
        }
      }
    });
    put.join();
    take.join();
    return sum[0];
  }

  /** An hour passes in a moment; an interrupt ends a wait; who does not own the monitor is told off. */
  static void others(Object lock, Way way) throws Exception {
    String[] ends = {"not", "not", "not"};
    Thread late = start("late by " + way.name, () -> {
      long before = System.nanoTime();
      synchronized (lock) { way.timed.run(LONG); }
      ends[0] = System.nanoTime() - before >= LONG * 1_000_000 ? "late" : "early";
    });
    late.join();
    Thread interrupted = start("interrupted by " + way.name, () -> {
      try {
        synchronized (lock) { way.waiting.run(); }
      } catch (InterruptedException e) {
        ends[1] = Thread.currentThread().isInterrupted() ? "still" : "interrupted";
      }
    });
    interrupted.interrupt();
    interrupted.join();
    try {
      way.waiting.run();
    } catch (Throwable e) {
      ends[2] = e.getClass().getSimpleName();
    }
    System.out.println(way.name + " " + String.join(" ", ends));
  }

  /** What else can block, or be asked of a clock. */
  static void threads() throws Throwable {
    Method sleep = Thread.class.getMethod("sleep", long.class);
    MethodHandle yield = MethodHandles.lookup().findStatic(Thread.class, "yield", MethodType.methodType(void.class));
    Method park = LockSupport.class.getMethod("park");
    LongSupplier clock = System::nanoTime;
    Timed reference = Thread::sleep;
    long before = clock.getAsLong();
    sleep.invoke(null, LONG);
    reference.run(LONG);
    yield.invokeExact();
    Thread parked = start("parked", () -> park.invoke(null));
    Action unpark = () -> LockSupport.class.getMethod("unpark", Thread.class).invoke(null, parked);
    unpark.run();
    Action join = parked::join;
    join.run();
    System.out.println("slept " + (clock.getAsLong() - before) / 3_600_000_000_000L + " hours");
  }

  public static void main(String[] arguments) throws Throwable {
    Object lock = new Object();
    Way[] ways = {direct(lock), references(lock), reflection(lock), handles(lock)};
    for (Way producer : ways) {
      for (Way consumer : ways) {
        System.out.println(producer.name + " " + consumer.name + " " + queue(lock, producer, consumer));
      }
    }
    for (Way way : ways) others(lock, way);
    threads();
  }
}
