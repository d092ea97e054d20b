// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.function.Supplier;

/** What the program drops is collected: the agent keeps nothing alive, whatever was done with it last. */
public final class Collected {
  /** The VM keeps a thread that was joined until it has left for good, which may take a while on a busy machine. */
  private static final int COLLECTIONS = 200;

  Object field;
  static Object shared;

  /** Whether what is made and used by {@code use}, and dropped, is gone after a few collections. */
  static void dropped(String name, Supplier<Object> use) {
    section(name, () -> {
      WeakReference<Object> reference = new WeakReference<>(use.get());
      for (int i = 0; i < COLLECTIONS && !reference.refersTo(null); i++) System.gc();
      say(reference.refersTo(null));
    });
  }

  static Object filled(List<Object> list) {
    Object last = null;
    for (int i = 0; i < 100; i++) list.add(last = new byte[16]);
    for (Object each : list) last = each;
    return last;
  }

  public static void main(String[] args) {
    dropped("array_list", () -> filled(new ArrayList<>()));
    dropped("linked_list", () -> filled(new LinkedList<>()));
    dropped("vector", () -> filled(new java.util.Vector<>()));
    dropped("hash_map", () -> {
      HashMap<Integer, Object> map = new HashMap<>();
      Object last = null;
      for (int i = 0; i < 100; i++) map.put(i, last = new Object());
      return last;
    });
    dropped("identity_map", () -> {
      IdentityHashMap<Object, Object> map = new IdentityHashMap<>();
      Object last = null;
      for (int i = 0; i < 100; i++) map.put(last = new Object(), "x");
      return last;
    });
    dropped("deque", () -> {
      java.util.ArrayDeque<Object> deque = new java.util.ArrayDeque<>();
      Object last = null;
      for (int i = 0; i < 100; i++) deque.add(last = new Object());
      return last;
    });
    dropped("builder", () -> new StringBuilder().append("x").append(new char[100]));
    dropped("array", () -> {
      Object[] array = new Object[10];
      array[3] = array;
      return array[3];
    });
    dropped("copied_array", () -> {
      Object[] from = {new Object(), new Object()};
      Object[] to = new Object[2];
      System.arraycopy(from, 0, to, 0, 2);
      return to[1];
    });
    dropped("lock", () -> {
      Object lock = new Object();
      synchronized (lock) {
        lock.notifyAll();
      }
      return lock;
    });
    dropped("waited_on", () -> {
      Object lock = new Object();
      synchronized (lock) {
        try {
          lock.wait(0, 1);
        } catch (InterruptedException e) {
          show(e);
        }
      }
      return lock;
    });
    dropped("fields", () -> {
      Collected holder = new Collected();
      holder.field = new Object();
      shared = holder.field;
      shared = null;
      return holder.field;
    });
    dropped("thread", () -> {
      Thread thread = new Thread(() -> shared = null);
      thread.start();
      try {
        thread.join();
      } catch (InterruptedException e) {
        show(e);
      }
      return thread;
    });
    dropped("parked_thread", () -> {
      Thread thread = new Thread(java.util.concurrent.locks.LockSupport::park);
      thread.start();
      java.util.concurrent.locks.LockSupport.unpark(thread);
      try {
        thread.join();
      } catch (InterruptedException e) {
        show(e);
      }
      return thread;
    });
    dropped("copy", () -> {
      Object[] array = {new Object()};
      return array.clone()[0];
    });
  }
}
