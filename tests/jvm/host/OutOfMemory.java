// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** The heap runs out inside watched code, is given back, and the program goes on. Run with -Xmx32m. */
public final class OutOfMemory {
  static final class Node {
    Node next;
    long value;
    volatile int mark;

    Node(Node next) {
      this.next = next;
      value = next == null ? 1 : next.value + 1;
      mark = 1;
    }
  }

  static Node chain;
  static List<Object> kept;
  static Object[] table;

  interface Filler {
    void fill();
  }

  static void exhaust(String name, Filler filler) {
    section(name, () -> {
      int caught = 0;
      for (int round = 0; round < 3; round++) {
        try {
          filler.fill();
        } catch (OutOfMemoryError e) {
          caught++;
          chain = null;
          kept = null;
          table = null;
          for (StackTraceElement frame : e.getStackTrace()) if (frame.getClassName().contains("eadheat")) say(frame);
          if (round == 0) say(e.getMessage());
        }
      }
      Map<Integer, int[]> after = new HashMap<>();
      for (int i = 0; i < 1000; i++) after.put(i, new int[] {i});
      int sum = 0;
      for (int[] x : after.values()) sum += x[0];
      say(caught + " " + sum);
    });
  }

  static void nodes() {
    for (;;) chain = new Node(chain);
  }

  static void list() {
    kept = new ArrayList<>();
    for (;;) kept.add(new byte[1024]);
  }

  static void map() {
    HashMap<Object, Object> map = new HashMap<>();
    kept = new ArrayList<>();
    kept.add(map);
    for (int i = 0;; i++) map.put(i, "" + i);
  }

  static void smallArrays() {
    table = new Object[1 << 20];
    for (int i = 0;; i++) {
      int[] small = new int[4];
      small[i & 3] = i;
      table[i] = small;
    }
  }

  static void touchedArrays() {
    kept = new ArrayList<>();
    for (;;) {
      long[] numbers = new long[4096];
      for (int i = 0; i < numbers.length; i++) numbers[i] = i;
      kept.add(numbers);
    }
  }

  static void monitors() {
    kept = new ArrayList<>();
    for (;;) {
      Object lock = new Object();
      synchronized (lock) {
        kept.add(lock);
      }
    }
  }

  static synchronized void synchronizedStrings() {
    kept = new ArrayList<>();
    for (int i = 0;; i++) kept.add(new StringBuilder().append(i).append(kept.size()).append("x".repeat(200)));
  }

  static void threads() {
    kept = new ArrayList<>();
    for (;;) kept.add(new Thread(() -> {}));
  }

  /** Code that has not run before runs while not a byte is left: what is set up for it at its first execution finds no room. */
  static void newCode() throws ReflectiveOperationException {
    IntSupplier fresh = (IntSupplier) MethodHandles.lookup().defineClass(Generated.many_methods("host/Fresh", 2200)).getConstructor().newInstance();
    int sum = 0;
    try {
      kept = new ArrayList<>(1 << 20);
      for (int size = 1 << 16; size > 0; size >>= 1) fill(size);
      sum = fresh.getAsInt();
    } finally {
      kept = null;
    }
    say(sum + " " + fresh.getAsInt());
  }

  private static void fill(int size) {
    try {
      for (;;) kept.add(new byte[size]);
    } catch (OutOfMemoryError e) {
      // Full for arrays of this size.
    }
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0 && args[0].equals("fits")) {
      fits();
      return;
    }
    exhaust("nodes", OutOfMemory::nodes);
    exhaust("list", OutOfMemory::list);
    exhaust("map", OutOfMemory::map);
    exhaust("small_arrays", OutOfMemory::smallArrays);
    exhaust("touched_arrays", OutOfMemory::touchedArrays);
    exhaust("monitors", OutOfMemory::monitors);
    exhaust("strings", OutOfMemory::synchronizedStrings);
    exhaust("threads", OutOfMemory::threads);
    section("new_code", OutOfMemory::newCode);
    exhaust("too_large", () -> kept = List.of(new long[Integer.MAX_VALUE]));
    exhaust("two_threads", () -> {
      Thread other = new Thread(() -> {
        try {
          List<Object> own = new ArrayList<>();
          for (;;) own.add(new byte[1024]);
        } catch (OutOfMemoryError e) {
          // Either of the two may be the one.
        }
      });
      other.start();
      try {
        nodes();
      } finally {
        chain = null;
        try {
          other.join();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    });
  }

  /** A quarter of a small heap is live, in arrays that are read and written: fits, with room to spare. */
  private static void fits() {
    section("arrays", () -> {
      int[][] live = new int[64][];
      long sum = 0;
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < live.length; i++) {
          live[i] = new int[32 * 1024];
          for (int j = 0; j < live[i].length; j++) live[i][j] = i ^ j;
        }
        for (int[] row : live) for (int x : row) sum += x;
      }
      say(sum);
    });
    section("objects", () -> {
      Object[] live = new Object[200_000];
      for (int i = 0; i < live.length; i++) live[i] = new Node(null);
      long sum = 0;
      for (Object each : live) sum += ((Node) each).value;
      say(sum);
    });
  }
}
