// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Stack overflow inside every kind of watched operation: it is caught, no lock stays behind, the program goes on. */
public final class Overflow {
  private static final int ROUNDS = 25;
  private static final long STACK_BYTES = 256 * 1024;
  private static final VarHandle HANDLE;

  static {
    try {
      HANDLE = MethodHandles.lookup().findVarHandle(Overflow.class, "handled", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static int shared;
  static volatile int sharedVolatile;
  int depth;
  volatile int flag;
  int handled;
  Object next;
  final int[] numbers = new int[64];
  final Object[] objects = new Object[64];
  final Object lock = new Object();
  final AtomicInteger atomic = new AtomicInteger();
  final AtomicReference<Object> reference = new AtomicReference<>();
  final HashMap<Integer, Integer> map = new HashMap<>();
  final ArrayList<Integer> list = new ArrayList<>();
  final ConcurrentHashMap<Integer, Integer> concurrent = new ConcurrentHashMap<>();

  int fields(int n) {
    depth = n;
    next = this;
    return depth + fields(n + 1);
  }

  int statics(int n) {
    shared = n;
    return shared + statics(n + 1);
  }

  int arrays(int n) {
    numbers[n & 63] = n;
    objects[n & 63] = this;
    return numbers[n >> 1 & 63] + arrays(n + 1);
  }

  int freshArrays(int n) {
    int[] fresh = {n, n + 1};
    fresh[0] += n;
    return fresh[0] + freshArrays(n + 1);
  }

  int copies(int n) {
    System.arraycopy(numbers, 0, numbers, 8, 16);
    return numbers.clone()[3] + copies(n + 1);
  }

  int volatiles(int n) {
    flag = n;
    sharedVolatile = n;
    return flag + sharedVolatile + volatiles(n + 1);
  }

  int atomics(int n) {
    atomic.incrementAndGet();
    reference.set(this);
    return atomic.get() + atomics(n + 1);
  }

  int handles(int n) {
    HANDLE.setVolatile(this, n);
    return (int) HANDLE.getAndAdd(this, 1) + handles(n + 1);
  }

  synchronized int method(int n) {
    depth = n;
    return depth + method(n + 1);
  }

  static synchronized int staticMethod(int n) {
    shared = n;
    return shared + staticMethod(n + 1);
  }

  int block(int n) {
    synchronized (lock) {
      depth = n;
      return depth + block(n + 1);
    }
  }

  int freshBlock(int n) {
    Object mine = new Object();
    synchronized (mine) {
      depth = n;
      return depth + freshBlock(n + 1);
    }
  }

  int twoBlocks(int n) {
    synchronized (lock) {
      synchronized (numbers) {
        depth = n;
      }
    }
    return twoBlocks(n + 1);
  }

  int maps(int n) {
    map.put(n & 1023, n);
    return map.get(n & 1023) + maps(n + 1);
  }

  int lists(int n) {
    if (list.size() < 4096) list.add(n);
    int sum = 0;
    for (int x : list.subList(0, Math.min(3, list.size()))) sum += x;
    return sum + lists(n + 1);
  }

  int concurrents(int n) {
    concurrent.merge(n & 255, 1, Integer::sum);
    return concurrent.size() + concurrents(n + 1);
  }

  int timedWait(int n) throws InterruptedException {
    synchronized (lock) {
      if (n % 200 == 0) lock.wait(1);
      return timedWait(n + 1);
    }
  }

  interface Recursion {
    int run(Overflow at, int n) throws Exception;
  }

  static void overflow(String name, Recursion recursion) {
    section(name, () -> {
      Overflow at = new Overflow();
      int[] caught = new int[2];
      for (int round = 0; round < ROUNDS; round++) {
        // Another stack size each time: the overflow comes at another instruction.
        Thread runner = new Thread(null, () -> {
          try {
            recursion.run(at, 0);
          } catch (StackOverflowError e) {
            caught[0]++;
            for (StackTraceElement frame : e.getStackTrace()) if (frame.getClassName().contains("eadheat")) caught[1]++;
          } catch (Exception e) {
            show(e);
          }
          if (Thread.holdsLock(at) || Thread.holdsLock(at.lock) || Thread.holdsLock(at.numbers)) say("still holds a lock");
        }, "runner", STACK_BYTES + round * 8192L);
        runner.start();
        runner.join();
      }
      say(caught[0] + " of " + ROUNDS + " overflows caught, " + caught[1] + " frames that are not the program's");
      say("free: " + isFree(at) + " " + isFree(at.lock) + " " + isFree(at.numbers) + " " + isFree(Overflow.class));
      // Everything still works after it.
      at.map.clear();
      at.map.put(1, 2);
      at.numbers[1] = 5;
      at.depth = 4;
      at.flag = 3;
      at.atomic.set(1);
      HANDLE.setVolatile(at, 6);
      synchronized (at.lock) {
        say(at.map.get(1) + at.numbers[1] + at.depth + at.flag + at.atomic.get() + (int) HANDLE.getVolatile(at));
      }
    });
  }

  static final class Tree implements java.io.Serializable {
    Tree child;
    int value;

    @Override
    public int hashCode() {
      return value + (child == null ? 0 : child.hashCode());
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Tree && value == ((Tree) other).value && java.util.Objects.equals(child, ((Tree) other).child);
    }

    @Override
    public synchronized String toString() {
      return value + "," + child;
    }
  }

  static Tree tree(int depth) {
    Tree top = null;
    for (int i = 0; i < depth; i++) {
      Tree above = new Tree();
      above.child = top;
      above.value = i;
      top = above;
    }
    return top;
  }

  public static void main(String[] args) {
    overflow("fields", Overflow::fields);
    overflow("statics", Overflow::statics);
    overflow("arrays", Overflow::arrays);
    overflow("fresh_arrays", Overflow::freshArrays);
    overflow("copies", Overflow::copies);
    overflow("volatiles", Overflow::volatiles);
    overflow("atomics", Overflow::atomics);
    overflow("handles", Overflow::handles);
    overflow("method", Overflow::method);
    overflow("static_method", (at, n) -> staticMethod(n));
    overflow("block", Overflow::block);
    overflow("fresh_block", Overflow::freshBlock);
    overflow("two_blocks", Overflow::twoBlocks);
    overflow("maps", Overflow::maps);
    overflow("lists", Overflow::lists);
    overflow("concurrents", Overflow::concurrents);
    overflow("timed_wait", Overflow::timedWait);
    // Deep, but not too deep for the default stack: the agent may take some of it, not most of it.
    section("deep_recursion_that_fits", () -> {
      say(tree(2500).hashCode());
      say(tree(2500).equals(tree(2500)));
      say(tree(1500).toString().length());
    });
    section("deep_serialisation_that_fits", () -> {
      java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
      try (java.io.ObjectOutputStream out = new java.io.ObjectOutputStream(bytes)) {
        out.writeObject(tree(400));
      }
      say(bytes.size());
    });
  }
}
