// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Identity hashes for what the shim looks up. An object that has none yet gets one of ours, put into its header as the VM would: that takes
 * no call into the VM, and leaves alone the sequence from which the thread's own objects get theirs. So the hashes that a program asks for
 * do not depend on how many arrays and locks were met before, nor on which of two threads met one first.
 */
final class DeadheatHashes {
  /** Of the first word of an object: what it is as long as nobody has locked it and nobody asked for its hash; and where the hash goes. */
  private static final long UNHASHED_MASK = setting(DeadheatLayout.SETTING_UNHASHED_MASK);
  private static final long UNHASHED = setting(DeadheatLayout.SETTING_UNHASHED);
  private static final int SHIFT = (int) setting(DeadheatLayout.SETTING_HASH_SHIFT);
  private static final long HASHES = setting(DeadheatLayout.SETTING_MOST_HASH);

  static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private DeadheatHashes() {}

  /** Whether nobody has asked for the identity hash of {@code o}. False may also mean that it cannot be told. */
  @ForceInline
  @Hidden
  static boolean isUnhashed(Object o) {
    return (U.getLong(o, 0L) & UNHASHED_MASK) == UNHASHED;
  }

  /** As {@code System.identityHashCode(o)}. */
  @ForceInline
  @Hidden
  static int of(Object o) {
    long header = U.getLong(o, 0L);
    return (header & UNHASHED_MASK) == UNHASHED ? give(o, header) : System.identityHashCode(o);
  }

  @Hidden
  private static int give(Object o, long header) {
    Thread t = Deadheat.thread();
    long hash = t == null ? 0 : next(t) & HASHES;
    if (hash == 0) return System.identityHashCode(o);
    return U.compareAndSetLong(o, 0L, header, header | hash << SHIFT) ? (int) hash : System.identityHashCode(o);
  }

  /** Of the thread's own sequence (splitmix64), which begins with its id. */
  @ForceInline
  @Hidden
  private static long next(Thread t) {
    long state = U.getLong(t, HASH);
    if (state == 0) state = U.getLong(t, TID) * 0xd1342543de82ef95L;
    state += GOLDEN;
    U.putLong(t, HASH, state);
    return mix(state);
  }

  /** The numbers of splitmix64, of its states one after the other. */
  @ForceInline
  @Hidden
  static long mix(long state) {
    long mixed = (state ^ state >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }
}
