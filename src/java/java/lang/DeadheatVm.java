// SPDX-License-Identifier: Apache-2.0
package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * What the hooks need of the VM, in a class of its own: initialising it initialises {@code Unsafe}, and that must not happen before the
 * VM has set {@code UnsafeConstants} (else {@code Unsafe.allocateMemory} answers 0 ever after). So no hook touches this class before
 * {@link Deadheat#live} is set.
 */
final class DeadheatVm {
  static final Unsafe U = Unsafe.getUnsafe();

  /** Offsets of the fields that the agent adds to {@link Thread}. */
  static final long EPOCH = threadField("$dh$epoch");
  static final long READS = threadField("$dh$reads");
  static final long STATE = threadField("$dh$state");
  static final long CLOCKS = threadField("$dh$clocks");
  static final long SETS = threadField("$dh$sets");
  static final long START = threadField("$dh$start");
  static final long CREATED = threadField("$dh$created");
  /** Not 0 while the program makes an exception that the VM makes too. */
  static final long MAKING = threadField("$dh$making");
  static final long PERMIT = threadField("$dh$permit");
  static final long WAIT = threadField("$dh$wait");
  static final long HELD = threadField("$dh$held");
  /** The {@link DeadheatMonitors} of the thread. */
  static final long MONITORS = threadField("$dh$monitors");
  /** The cell of a class whose objects have the words of their monitors themselves: most of those that the thread locks are of one. */
  static final long LOCK_TYPE = threadField("$dh$lockType");
  /** Tokens of {@link DeadheatHanded}. */
  static final long HANDED = threadField("$dh$handed");
  static final long KEPT = threadField("$dh$kept");
  static final long MADE = threadField("$dh$made");
  /** The state of {@link DeadheatHashes}. */
  static final long HASH = threadField("$dh$hash");
  /** The state of {@link DeadheatGateRandoms}. */
  static final long RANDOM = threadField("$dh$random");
  static final long FENCE = threadField("$dh$fence");
  static final long LOADS = threadField("$dh$loads");
  static final long RECENT = threadField("$dh$recent");
  /** The ThreadFlock that the thread was started in. */
  static final long FLOCK = threadField("$dh$flock");
  /** Under the controlled scheduler: the thread's record in the agent, 0 if it is not managed. */
  static final long GATE = threadField("$dh$gate");
  /** The JDK's own: its id. */
  static final long TID = threadField("tid");
  static final long HISTORY = threadField("$dh$history");
  static final long CONTEXT = threadField("$dh$context");

  /** With the fast path off every access and every acquire is a call into C++. */
  static final boolean FAST = setting(DeadheatLayout.SETTING_FAST_PATH) != 0;
  /** For benchmarks: every check ends as a hit, so what is measured is the cost of watching without a detector. */
  static final boolean ALWAYS_HIT = setting(DeadheatLayout.SETTING_ALWAYS_HIT) != 0;
  /** Monitors do not order but are kept as sets of locks, and {@code notify} orders: detectors of candidates. */
  static final boolean LOCKSETS = setting(DeadheatLayout.SETTING_LOCKSETS) != 0;
  /** Whether threads keep a history of their accesses; else no method keeps its context either. */
  static final boolean KEEPS_HISTORY = setting(DeadheatLayout.SETTING_HISTORY) != 0;
  /** Native address of the table of ways ({@code agent/way_table.h}). */
  static final long WAYS = setting(DeadheatLayout.SETTING_WAYS_ADDRESS);
  /** Native address of the agent's count of finished garbage collections. */
  static final long COLLECTIONS = setting(DeadheatLayout.SETTING_COLLECTIONS_ADDRESS);
  /** While hunting: native addresses of the counts of requests to skip, and of the mark that somebody is escorted. */
  static final long HUNT_PLACES = setting(DeadheatLayout.SETTING_HUNT_PLACES_ADDRESS);
  static final long HUNT_ESCORT = setting(DeadheatLayout.SETTING_HUNT_ESCORT_ADDRESS);
  /** Whether threads may be held at lock requests; else relations are learnt and nothing more. */
  static final boolean HUNT_GATE = setting(DeadheatLayout.SETTING_HUNT_GATE) != 0;
  /** Whether accesses and order go to an engine with words; else the controlled scheduler is alone, and they go to its gate. */
  static final boolean HAS_WORDS = setting(DeadheatLayout.SETTING_HAS_WORDS) != 0;
  /** Whether the controlled scheduler writes a trace. */
  static final boolean RECORDS = setting(DeadheatLayout.SETTING_RECORDS) != 0;
  /** Native address of the sync words of class initialisers. */
  static final long INIT_WORDS = setting(DeadheatLayout.SETTING_INIT_WORDS_ADDRESS);
  /** Where the elements of a long[] begin. (Unsafe's own constant is an int in some JDKs and a long in others.) */
  static final long LONGS = setting(DeadheatLayout.SETTING_LONG_ARRAY_BASE);
  /** The same for arrays of elements of four bytes or less. */
  static final long BYTES = setting(DeadheatLayout.SETTING_BYTE_ARRAY_BASE);
  /** The same for arrays of references, and the size of one. */
  static final long REFERENCES = setting(DeadheatLayout.SETTING_REFERENCE_ARRAY_BASE);
  static final long REFERENCE_SIZE = U.arrayIndexScale(Object[].class);

  private DeadheatVm() {}

  @Hidden
  private static long threadField(String name) {
    return U.objectFieldOffset(Thread.class, name);
  }

  @Hidden
  static native long setting(int which);

  @Hidden
  static native void yieldProcessor();
}
