// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** What goes wrong inside watched operations: the same exceptions, messages and frames as without the agent. */
public final class Traces {
  int number;
  volatile int flag;
  int[] numbers;
  Object[] objects;
  Traces next;
  long wide;
  static Traces absent;
  static int[] absentNumbers;
  static int zero;

  interface Get {
    Object get() throws Throwable;
  }

  static void fails(String name, Get get) {
    section(name, () -> say("no exception: " + get.get()));
  }

  static void accesses() {
    Traces t = new Traces();
    fails("read_field_of_null", () -> absent.number);
    fails("read_wide_field_of_null", () -> absent.wide);
    fails("read_volatile_field_of_null", () -> absent.flag);
    fails("write_field_of_null", () -> absent.number = 1);
    fails("write_wide_field_of_null", () -> absent.wide = 1);
    fails("write_volatile_field_of_null", () -> absent.flag = 1);
    fails("increment_field_of_null", () -> absent.number++);
    fails("chain_of_nulls", () -> t.next.next.next.number);
    fails("chain_with_array", () -> t.objects[zero].hashCode());
    fails("chain_with_call", () -> self(t).next.numbers[3]);
    fails("read_null_array", () -> absentNumbers[2]);
    fails("write_null_array", () -> absentNumbers[2] = 3);
    fails("add_to_null_array", () -> t.numbers[zero] += 3);
    fails("length_of_null_array", () -> absentNumbers.length);
    fails("clone_null_array", () -> absentNumbers.clone());
    fails("read_out_of_bounds", () -> new int[][] {{1, 2}}[zero][2]);
    fails("read_negative", () -> new byte[3][zero - 1]);
    fails("write_out_of_bounds", () -> longs(3)[3] = 5);
    fails("write_object_out_of_bounds", () -> objects(zero)[7] = "x");
    fails("array_store", () -> ((Object[]) new Integer[1])[0] = "text");
    fails("negative_size", () -> new int[zero - 5]);
    fails("negative_sizes", () -> new int[2][zero - 5]);
    fails("divide", () -> t.number / zero);
    fails("cast", () -> (String) (Object) t.toString().length());
    fails("unbox", () -> {
      Integer none = (Integer) (Object) absent;
      return none + 1;
    });
    fails("throw_null", () -> {
      throw (RuntimeException) (Object) absent;
    });
    fails("switch_on_null", () -> {
      switch ((String) (Object) absent) {
        case "a":
          return 1;
        default:
          return 2;
      }
    });
  }

  static long[] longs(int length) {
    return new long[length];
  }

  static Object[] objects(int length) {
    return new Object[length];
  }

  static Traces self(Traces t) {
    return t;
  }

  static void copies() {
    fails("copy_from_null", () -> copy(absentNumbers, 0, new int[1], 0, 1));
    fails("copy_to_null", () -> copy(new int[1], 0, absentNumbers, 0, 1));
    fails("copy_no_array", () -> copy("text", 0, new int[1], 0, 1));
    fails("copy_to_no_array", () -> copy(new int[1], 0, "text", 0, 1));
    fails("copy_types", () -> copy(new int[1], 0, new long[1], 0, 1));
    fails("copy_primitive_to_objects", () -> copy(new int[1], 0, new Object[1], 0, 1));
    fails("copy_store", () -> copy(new Object[] {"a", 1, "b"}, 0, new String[3], 0, 3));
    fails("copy_source_bounds", () -> copy(new int[3], 2, new int[9], 0, 2));
    fails("copy_target_bounds", () -> copy(new int[9], 0, new int[3], 2, 2));
    fails("copy_negative_length", () -> copy(new int[9], 0, new int[3], 2, -1));
    fails("copy_negative_source", () -> copy(new int[9], -1, new int[3], 2, 1));
    fails("copy_negative_target", () -> copy(new int[9], 1, new int[3], -2, 1));
    fails("copy_overflow", () -> copy(new int[9], Integer.MAX_VALUE, new int[3], 0, 1));
    section("copy_store_partly", () -> {
      String[] to = new String[3];
      try {
        System.arraycopy(new Object[] {"a", 1, "b"}, 0, to, 0, 3);
      } catch (ArrayStoreException e) {
        say(Arrays.toString(to));
      }
    });
  }

  static Object copy(Object from, int at, Object to, int where, int length) {
    System.arraycopy(from, at, to, where, length);
    return "copied";
  }

  static void monitors() {
    Object lock = new Object();
    fails("synchronized_null", () -> {
      synchronized (absent) {
        return 1;
      }
    });
    fails("wait_without_lock", () -> {
      lock.wait();
      return 1;
    });
    fails("timed_wait_without_lock", () -> {
      lock.wait(5);
      return 1;
    });
    fails("notify_without_lock", () -> {
      lock.notify();
      return 1;
    });
    fails("notify_all_without_lock", () -> {
      lock.notifyAll();
      return 1;
    });
    fails("wait_on_null", () -> {
      absent.wait();
      return 1;
    });
    fails("timed_wait_on_null", () -> {
      absent.wait(1, 1);
      return 1;
    });
    fails("wait_negative", () -> {
      synchronized (lock) {
        lock.wait(-1);
      }
      return 1;
    });
    fails("wait_too_many_nanos", () -> {
      synchronized (lock) {
        lock.wait(1, 1_000_000);
      }
      return 1;
    });
    fails("wait_interrupted", () -> {
      Thread.currentThread().interrupt();
      synchronized (lock) {
        lock.wait();
      }
      return 1;
    });
    say(Thread.interrupted() + " " + Thread.holdsLock(lock));
    fails("timed_wait_interrupted", () -> {
      Thread.currentThread().interrupt();
      synchronized (lock) {
        lock.wait(10_000, 5);
      }
      return 1;
    });
    fails("sleep_interrupted", () -> {
      Thread.currentThread().interrupt();
      Thread.sleep(10_000);  // throws at once: the stack of that is what is compared
      return 1;
    });
    fails("sleep_negative", () -> {
      Thread.sleep(-1);  // throws at once
      return 1;
    });
    fails("join_interrupted", () -> {
      Thread.currentThread().interrupt();
      Thread.currentThread().join();
      return 1;
    });
    fails("lock_interrupted", () -> {
      Thread.currentThread().interrupt();
      new ReentrantLock().lockInterruptibly();
      return 1;
    });
    fails("unlock_without_lock", () -> {
      new ReentrantLock().unlock();
      return 1;
    });
    fails("start_twice", () -> {
      Thread t = new Thread(() -> {});
      t.start();
      t.join();
      t.start();
      return 1;
    });
    fails("out_of_synchronized", () -> new Traces().locked(3));
    fails("out_of_static_synchronized", () -> staticLocked(3));
    say(Thread.interrupted() + " " + Thread.holdsLock(lock) + " " + Thread.holdsLock(Traces.class));
  }

  synchronized int locked(int deep) {
    if (deep > 0) return locked(deep - 1);
    return numbers[0];
  }

  static synchronized int staticLocked(int deep) {
    synchronized (Integer.class) {
      if (deep > 0) return staticLocked(deep - 1);
      throw new IllegalStateException("deep", new Exception("cause"));
    }
  }

  static final VarHandle NUMBER;
  static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
  static final AtomicIntegerFieldUpdater<Traces> UPDATER = AtomicIntegerFieldUpdater.newUpdater(Traces.class, "flag");

  static {
    try {
      NUMBER = MethodHandles.lookup().findVarHandle(Traces.class, "number", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static void atomics() {
    fails("handle_of_null", () -> (int) NUMBER.getVolatile(absent));
    fails("set_handle_of_null", () -> {
      NUMBER.setRelease(absent, 1);
      return 1;
    });
    fails("swap_handle_of_null", () -> NUMBER.compareAndSet(absent, 1, 2));
    fails("handle_of_other_class", () -> (int) NUMBER.getAcquire((Object) "text"));
    fails("handle_with_wrong_type", () -> (int) NUMBER.getAndAdd(new Traces(), "text"));
    fails("handle_with_wrong_count", () -> (int) NUMBER.getVolatile());
    fails("element_out_of_bounds", () -> (int) ELEMENT.getVolatile(new int[2], 2));
    fails("element_of_null", () -> ELEMENT.compareAndSet(absentNumbers, 2, 1, 1));
    fails("updater_of_null", () -> UPDATER.incrementAndGet(absent));
    fails("updater_of_other_class", () -> ((AtomicIntegerFieldUpdater) UPDATER).get("text"));
    fails("atomic_array_out_of_bounds", () -> new AtomicIntegerArray(3).incrementAndGet(3));
    fails("unpark_null", () -> {
      LockSupport.unpark(null);
      return "nothing";
    });
  }

  static final class Broken {
    static final int VALUE = Integer.parseInt("broken");
    static int other;
  }

  static void initialisers() {
    fails("broken_initialiser", () -> Broken.other);
    fails("broken_initialiser_again", () -> Broken.other);
    fails("broken_initialiser_write", () -> Broken.other = 3);
  }

  static void collections() {
    fails("concurrent_modification", () -> {
      List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
      for (Integer x : list) list.remove(x);
      return list;
    });
    fails("list_out_of_bounds", () -> new ArrayList<>(List.of(1)).get(4));
    fails("no_next", () -> {
      Iterator<Object> none = new java.util.HashMap<>().keySet().iterator();
      return none.next();
    });
    fails("comparator_throws", () -> new java.util.TreeMap<Object, Object>(java.util.Map.of("a", new Object())).put(2, 3));
    fails("null_key", () -> new java.util.concurrent.ConcurrentHashMap<>().put(null, 1));
  }

  static StackTraceElement[] here;

  static synchronized StackTraceElement[] current() {
    synchronized (Long.class) {
      return Thread.currentThread().getStackTrace();
    }
  }

  static final class Watching {
    static final List<String> frames = walk();
  }

  static List<String> walk() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).walk(
        s -> s.map(f -> f.getDeclaringClass().getName() + "." + f.getMethodName() + ":" + f.getLineNumber()).toList());
  }

  static void stacks() {
    section("current_stack", () -> Arrays.stream(current()).forEach(Sections::say));
    section("throwable_stack", () -> Arrays.stream(new Throwable().getStackTrace()).forEach(Sections::say));
    section("walker", () -> walk().forEach(Sections::say));
    section("walker_in_initialiser", () -> Watching.frames.forEach(Sections::say));
    section("walker_in_sort", () -> {
      List<List<String>> seen = new ArrayList<>();
      List<Integer> list = new ArrayList<>(List.of(2, 1));
      list.sort((a, b) -> {
        if (seen.isEmpty()) seen.add(walk());
        return a - b;
      });
      list.forEach(x -> seen.add(walk()));
      new java.util.HashMap<>(java.util.Map.of(1, 2)).computeIfPresent(1, (k, v) -> {
        seen.add(walk());
        return v;
      });
      seen.forEach(Sections::say);
    });
    section("caller_class", () -> {
      say(StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass());
      say(MethodHandles.lookup());
    });
  }

  /** How other threads are seen: by getStackTrace(), by getAllStackTraces() and by the management interface. */
  static void other(String name, Thread.State state, Runnable body) {
    section(name, () -> {
      Thread other = new Thread(body, "other");
      other.setDaemon(true);
      other.start();
      await(other, state);
      Arrays.stream(other.getStackTrace()).forEach(Sections::say);
      say("all:");
      Arrays.stream(Thread.getAllStackTraces().get(other)).forEach(Sections::say);
      say("info:");
      ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(new long[] {other.getId()}, true, true)[0];
      Arrays.stream(info.getStackTrace()).forEach(Sections::say);
      String lock = info.getLockName();
      say(info.getThreadState() + " " + (lock == null ? null : lock.replaceAll("@.*", "")) + " " + info.getLockOwnerName());
      Arrays.stream(info.getLockedMonitors()).forEach(m -> say(m.getClassName() + " at " + m.getLockedStackFrame()));
      other.interrupt();
    });
  }

  static void others() throws Exception {
    Object lock = new Object();
    other("other_waits", Thread.State.WAITING, () -> {
      synchronized (lock) {
        try {
          lock.wait();
        } catch (InterruptedException e) {
          // the end
        }
      }
    });
    other("other_waits_a_while", Thread.State.TIMED_WAITING, () -> {
      synchronized (lock) {
        try {
          lock.wait(1_000_000);
        } catch (InterruptedException e) {
          // the end
        }
      }
    });
    other("other_sleeps", Thread.State.TIMED_WAITING, () -> {
      try {
        Thread.sleep(1_000_000);  // until it is interrupted: the stack of a sleeper is what is compared
      } catch (InterruptedException e) {
        // the end
      }
    });
    other("other_parks", Thread.State.WAITING, () -> {
      while (!Thread.interrupted()) LockSupport.park(lock);
    });
    Thread main = Thread.currentThread();
    other("other_joins", Thread.State.WAITING, () -> {
      try {
        main.join();
      } catch (InterruptedException e) {
        // the end
      }
    });
    synchronized (lock) {
      other("other_blocked", Thread.State.BLOCKED, () -> {
        synchronized (lock) {
          lock.notifyAll();
        }
      });
    }
    Traces t = new Traces();
    t.numbers = new int[1];
    synchronized (t) {
      other("other_blocked_in_method", Thread.State.BLOCKED, () -> t.locked(0));
    }
  }

  public static void main(String[] args) throws Exception {
    accesses();
    copies();
    monitors();
    atomics();
    initialisers();
    collections();
    stacks();
    others();
  }
}
