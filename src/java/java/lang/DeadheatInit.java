// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks for class initialisation: what an initialiser did happens before every use of its class. The word of an initialiser is a sync
 * word, or says that it is under way and in which thread (agent/shim_layout.h). See {@link Deadheat} for the rules that hold for every hook.
 */
public final class DeadheatInit {
  private DeadheatInit() {}

  /** When a class is used whose init word is at {@code address}: what its initialiser did happens before this use. */
  @ForceInline
  @Hidden
  static void initialised(long address) {
    long word = U.getLong(address);
    if (word != 0 && !isKnown(word)) acquireInit(word, address);
  }

  /** Whether it is the release of an initialiser that has ended, and this thread knows of it. */
  @ForceInline
  @Hidden
  private static boolean isKnown(long word) {
    return FAST && word >>> DeadheatLayout.INIT_SHIFT < DeadheatLayout.INIT_UNDER_WAY && DeadheatSync.isKnown(word);
  }

  /** A static field is not read or written while another thread initialises its class: then the initialiser is this thread. */
  @Hidden
  private static void acquireInit(long word, long address) {
    address = whose(word, address);
    word = U.getLong(address);
    if (!isUnderWay(word)) DeadheatSync.acquire(word);
  }

  /** Where the word is of the initialiser that the class with {@code word} at {@code address} has, or inherits. */
  @Hidden
  private static long whose(long word, long address) {
    for (;;) {
      long kind = word >>> DeadheatLayout.INIT_SHIFT;
      if (kind == DeadheatLayout.INIT_INHERITS) {
        word = inherit(address);
      } else if (kind == DeadheatLayout.INIT_ALIAS) {
        address = INIT_WORDS + 8L * (int) word;
        word = U.getLong(address);
      } else {
        return address;
      }
    }
  }

  /** Whether an init word says that the initialiser has begun and not ended. */
  @Hidden
  private static boolean isUnderWay(long word) {
    return word >>> DeadheatLayout.INIT_SHIFT == DeadheatLayout.INIT_UNDER_WAY;
  }

  /** First thing in the static methods and constructors of a class that has an initialiser. */
  @ForceInline
  @Hidden
  public static void used(int initIndex) {
    if (!Deadheat.live) return;
    long address = INIT_WORDS + 8L * initIndex;
    long word = U.getLong(address);
    if (word != 0 && !isKnown(word)) used(word, address);
  }

  /**
   * Native code may call a static method while another thread is in the initialiser: the method begins at once, and the JVM makes it wait
   * at its first use of a static field of the class. What it waits for is acquired at a later access (agent/pending_inits.h).
   */
  @Hidden
  private static void used(long word, long address) {
    address = whose(word, address);
    word = U.getLong(address);
    if (!isUnderWay(word)) {
      DeadheatSync.acquire(word);
      return;
    }
    Thread t = Deadheat.thread();
    if (t == null || U.getLong(t, CLOCKS) == 0) return;
    long state = U.getLong(t, STATE);
    if (word != underWayBy(state)) onUseDuringInit(state, address);
  }

  /**
   * Behind an invokedynamic or a dynamic constant that the program links itself. It is linked once, visibly to all threads (java.lang.invoke):
   * whoever finds it linked comes after that ({@link #used(int)}).
   */
  @Hidden
  public static void linked(int initIndex) {
    if (!Deadheat.live) return;
    long address = INIT_WORDS + 8L * initIndex;
    if (U.getLong(address) == 0) DeadheatSync.release(null, address);
  }

  @Hidden
  private static long underWayBy(long state) {
    return (long) DeadheatLayout.INIT_UNDER_WAY << DeadheatLayout.INIT_SHIFT | state;
  }

  /** First thing in a class initialiser. */
  @Hidden
  public static void initialiserBegins(int initIndex) {
    if (!Deadheat.live) return;
    Thread t = Deadheat.thread();
    if (t == null || U.getLong(t, CLOCKS) == 0) return;
    long address = INIT_WORDS + 8L * initIndex;
    initialised(address);  // the superclass is
    U.putLong(address, underWayBy(U.getLong(t, STATE)));
  }

  /** Last thing in a class initialiser. */
  @Hidden
  public static void initialiserEnds(int initIndex) {
    if (!Deadheat.live) return;
    long address = INIT_WORDS + 8L * initIndex;
    DeadheatSync.release(null, address);
    // A thread that has nothing to release (it has lost its slot meanwhile) has ended its initialiser all the same.
    if (isUnderWay(U.getLong(address))) U.putLong(address, 0);
  }

  /** On the way out of a class initialiser that throws. From now on every use of the class ends in {@link #classUnusable}. */
  @Hidden
  public static void initialiserFails() {
    if (Deadheat.live) DeadheatSync.releaseJoin(null, INIT_WORDS + 8L * DeadheatLayout.FAILED_INIT);
  }

  /** A NoClassDefFoundError is being made. Which class it is about is not told, so it is ordered after all failures so far. */
  @Hidden
  public static void classUnusable() {
    Thread t = Deadheat.thread();
    if (t != null && !DeadheatSync.isMade(t)) DeadheatSync.acquire(null, INIT_WORDS + 8L * DeadheatLayout.FAILED_INIT);
  }

  /** After {@code type} was brought to its initialised state without a use of one of its members. */
  @Hidden
  public static void initialised(Object type) {
    if (!(type instanceof Class<?> c) || !DeadheatSync.attached()) return;
    long address = initWord(c);
    if (address != 0) initialised(address);
  }

  /** Behind {@code Class.forName(name, initialise, loader)}. */
  @Hidden
  public static void named(Object type, boolean initialise) {
    if (initialise) initialised(type);
  }

  @Hidden
  private static native void onUseDuringInit(long state, long initWord);

  @Hidden
  private static native long inherit(long address);

  @Hidden
  static native long initWord(Class<?> type);
}
