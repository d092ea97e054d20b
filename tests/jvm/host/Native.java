// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Native code of the program: threads it attaches, fields it reads and writes, monitors it takes. */
public final class Native {
  int number = 3;
  volatile long wide = 4;
  static String shared = "shared";
  private int[] numbers = {1, 2, 3};
  static int calls;
  static final Map<Integer, Integer> seen = new HashMap<>();

  static native void attached(int threads, int rounds, boolean daemon);

  static native String fields(Native object);

  static native int monitor(Object lock, Runnable inside);

  static native void throwsFrom(String message);

  static synchronized native int lockedNative(Object lock);

  synchronized native int lockedInstance();

  static native Object allocate(Class<?> type);

  static native Class<?> define(String name, ClassLoader loader, byte[] bytes);

  static native int critical(int[] numbers);

  static native void crash(int how);

  /** Called by the attached threads. */
  static int callback(int round) {
    synchronized (seen) {
      calls++;
      seen.merge(round, 1, Integer::sum);
    }
    if (round == 7) throw new IllegalArgumentException("from the callback");
    return round;
  }

  static boolean isFrom(Thread thread) {
    return thread == Thread.currentThread();
  }

  public static void main(String[] args) {
    System.load(System.getProperty("host.native"));
    if (args.length > 0) {
      say("before");
      System.out.flush();
      crash(Integer.parseInt(args[0]));
      say("after");
      return;
    }
    section("attached", () -> {
      attached(8, 20, false);
      say(calls + " " + new TreeMap<>(seen));
    });
    section("attached_daemons", () -> {
      attached(4, 100, true);
      say(calls + " " + new TreeMap<>(seen));
    });
    section("fields", () -> {
      Native object = new Native();
      say(fields(object));
      say(object.number + " " + object.wide + " " + shared + " " + object.numbers[1]);
    });
    section("monitor", () -> {
      Object lock = new Object();
      say(monitor(lock, () -> say(Thread.holdsLock(lock))) + " " + Thread.holdsLock(lock) + " " + isFree(lock));
    });
    section("throws", () -> throwsFrom("native says"));
    section("locked", () -> {
      say(lockedNative(Native.class) + " " + new Native().lockedInstance() + " " + Thread.holdsLock(Native.class));
      say(java.lang.reflect.Modifier.toString(Native.class.getDeclaredMethod("lockedNative", Object.class).getModifiers()));
    });
    section("allocate", () -> {
      Native raw = (Native) allocate(Native.class);
      raw.number++;
      raw.wide++;
      synchronized (raw) {
        say(raw.number + " " + raw.wide + " " + (raw.numbers == null));
      }
    });
    section("define", () -> say(define("host/Loaders$Base", new ClassLoader() {}, Loaders.bytesOf("host.Loaders$Base"))));
    section("define_garbage", () -> define("host/Garbage", new ClassLoader() {}, new byte[] {1, 2, 3, 4, 5}));
    section("critical", () -> say(critical(new int[] {1, 2, 3})));
  }
}
