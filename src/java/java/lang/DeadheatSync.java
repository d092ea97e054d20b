// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;
import static java.lang.invoke.DeadheatOdds.likely;

import jdk.internal.reflect.CallerSensitive;
import jdk.internal.reflect.Reflection;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks for synchronisation. An acquire whose release this thread already knows of, and a release by a thread that knows of all
 * earlier ones, are decided here; joins of clocks are the engine's. See {@link Deadheat} for the rules that hold for every hook, and
 * {@code engine/sync_word.h} for the words.
 */
public final class DeadheatSync {
  private DeadheatSync() {}

  // ---- monitors --------------------------------------------------------------------------------------------------------------

  /** Before {@code monitorenter}: what {@link #entered} wants, the object that has the monitor's word. */
  @ForceInline
  @Hidden
  public static Object monitorOf(Object o) {
    Thread t = Deadheat.thread();
    return o == null || t == null || U.getLong(t, CLOCKS) == 0 ? null : DeadheatMonitors.of(t, o, false);
  }

  /** The same while the monitor is held. */
  @ForceInline
  @Hidden
  static Object heldMonitorOf(Object o) {
    Thread t = Deadheat.thread();
    return o == null || t == null || U.getLong(t, CLOCKS) == 0 ? null : DeadheatMonitors.of(t, o, true);
  }

  /** After {@code monitorenter} at {@code site}; {@code base} is what {@link #monitorOf} said. */
  @ForceInline
  @Hidden
  public static void entered(Object base, int site) {
    if (base == null) return;
    if (LOCKSETS) DeadheatLocks.locked(base); else acquire(U.getLong(base, DeadheatMonitors.offsetIn(base)));
    if (KEEPS_HISTORY) DeadheatLockHistory.entered(site);
  }

  /** First thing in a synchronized method. */
  @Hidden
  public static void enteredMethod(Object o, int site) {
    entered(heldMonitorOf(o), site);
  }

  /** After native code has entered the monitor. */
  @Hidden
  public static void enteredNative(Object o) {
    entered(heldMonitorOf(o), 0);
  }

  /** Before {@code monitorexit}, and last thing in a synchronized method. */
  @Hidden
  public static void exiting(Object o) {
    Object base = heldMonitorOf(o);
    if (base == null) return;
    if (KEEPS_HISTORY) DeadheatLockHistory.exited();
    if (LOCKSETS) DeadheatLocks.unlocked(base); else release(base, DeadheatMonitors.offsetIn(base));
  }

  /** The same where nothing was learnt when the monitor was entered: others may have released what this thread does not know of. */
  @Hidden
  public static void handingOn(Object o) {
    Object base = heldMonitorOf(o);
    if (base != null && !LOCKSETS) releaseJoin(base, DeadheatMonitors.offsetIn(base));
  }

  /** Before native code leaves the monitor through JNI, if it owns it. */
  @Hidden
  public static void exitingNative(Object o) {
    if (Deadheat.live && Thread.holdsLock(o)) exiting(o);
  }

  /**
   * Before {@code o.wait(…)}, which gives the monitor up. Only its owner may write its word; anybody else is told off by {@code wait} itself.
   * Told again inside of {@code wait} itself, where that has code. A thread that the scheduler's gate holds waits for the gate.
   */
  @Hidden
  public static void waiting(Object o) {
    Thread t = Deadheat.thread();
    if (t == null || o == null || !Thread.holdsLock(o) || DeadheatGate.isHeld(t)) return;
    Object base = heldMonitorOf(o);
    if (base == null) return;
    if (!LOCKSETS) release(base, DeadheatMonitors.offsetIn(base)); else if (U.getReference(t, WAIT) != base) DeadheatLocks.waiting(base);
    U.putReference(t, WAIT, base);
  }

  /** After it: the monitor is held again. When the wait ends with an exception {@link #interrupted} does the same. */
  @Hidden
  public static void waited() {
    Thread t = Deadheat.thread();
    if (t == null || DeadheatGate.isHeld(t)) return;
    Object base = U.getReference(t, WAIT);
    if (base == null) return;
    U.putReference(t, WAIT, null);
    if (LOCKSETS) DeadheatLocks.waited(base); else acquire(U.getLong(base, DeadheatMonitors.offsetIn(base)));
  }

  /** The agent tells {@link #waiting} and {@link #waited} in the native method {@code wait(long)} of JDK 17 too (agent/native_gates.h). */
  @Hidden
  static boolean takeWait() {
    return takeWait0();
  }

  @Hidden
  private static native boolean takeWait0();

  /** The class whose static synchronized method calls, where the class file is too old for a class constant. */
  @CallerSensitive
  @Hidden
  public static Object callerClass() {
    return Reflection.getCallerClass();
  }

  // ---- final fields ----------------------------------------------------------------------------------------------------------

  /** Last thing in a constructor of a class whose final fields lead to other objects: what goes into the object's freeze word. */
  @Hidden
  public static long freeze() {
    Thread t = Deadheat.thread();
    if (t == null || U.getLong(t, CLOCKS) == 0) return 0;
    long word = FAST ? tick(t) : 0;
    if (word == 0) {
      word = onFreeze(U.getLong(t, STATE));
      newEpoch(t);
    }
    return word;
  }

  /**
   * A final field of {@code o} is set by reflection or the like, which freezes it at once (JLS 17.5.3). There is one word for all final fields: what
   * the constructor froze stays frozen, so this thread has to know of it.
   */
  @Hidden
  static void refreeze(Object o, long at) {
    acquire(U.getLong(o, at));
    U.putLongRelease(o, at, freeze());
  }

  /** After a final field was read from an object with the freeze word {@code word}. Own objects and those got in order end here. */
  @ForceInline
  @Hidden
  public static void readFrozen(long word) {
    if (word == 0) return;
    Thread t = Thread.currentThread();
    long clocks = U.getLong(t, CLOCKS);
    if (clocks != 0 && !(FAST && known(word, clocks))) onFrozenRead(U.getLong(t, STATE), word);
  }

  @Hidden
  private static native long onFreeze(long state);

  @Hidden
  private static native void onFrozenRead(long state, long word);

  // ---- parking and interrupts ------------------------------------------------------------------------------------------------

  @Hidden
  public static void unparking(Object thread) {
    if (thread != null && Deadheat.live) releaseJoin(thread, PERMIT);
  }

  @Hidden
  public static void parked() {
    Thread t = Deadheat.thread();
    if (t != null) acquire(t, PERMIT);
  }

  /**
   * An InterruptedException is being made: whoever interrupted this thread did so before (it has written {@code Thread.interrupted}). One
   * that the scheduler's gate drops ends no wait and orders nothing.
   */
  @Hidden
  public static void interrupted() {
    Thread t = Deadheat.thread();
    if (t == null || isMade(t) || DeadheatGate.isHeld(t)) return;
    if (LOCKSETS && !attached()) DeadheatLockModes.interrupted(t);
    if (!attached()) return;
    waited();
    atomicAcquire(t, U.objectFieldOffset(Thread.class, "interrupted"));
  }

  /** Code of the program calls the constructor of an exception that the VM makes too: this one tells of nothing. */
  @Hidden
  public static void making() {
    Thread t = Deadheat.thread();
    if (t != null) U.putLong(t, MAKING, 1);
  }

  /** First thing in that constructor: whether the program makes it. */
  @Hidden
  static boolean isMade(Thread t) {
    boolean made = U.getLong(t, MAKING) != 0;
    if (made) U.putLong(t, MAKING, 0);
    return made;
  }

  /** A virtual thread is being interrupted, or has been asked whether it was. */
  @Hidden
  public static void interrupting(Object thread) {
    if (Deadheat.live) atomicRelease(thread, U.objectFieldOffset(Thread.class, "interrupted"));
  }

  @Hidden
  public static void interruptSeen(Object thread) {
    if (Deadheat.live) atomicAcquire(thread, U.objectFieldOffset(Thread.class, "interrupted"));
  }

  /** A VolatileCallSite is about to get a target, or has told it: whoever invokes it comes after who set it. */
  @Hidden
  public static void callSiteSet(Object site) {
    if (Deadheat.live) atomicRelease(site, U.objectFieldOffset(java.lang.invoke.CallSite.class, "target"));
  }

  @Hidden
  public static void callSiteGot(Object site) {
    if (Deadheat.live) atomicAcquire(site, U.objectFieldOffset(java.lang.invoke.CallSite.class, "target"));
  }

  // ---- atomic accesses through Unsafe and VarHandle ---------------------------------------------------------------------------

  /** Before an atomic access of {@code o} at {@code offset} that may write with release semantics. */
  @Hidden
  public static void atomicRelease(Object o, long offset) {
    if (!attached()) return;
    Object base = DeadheatSyncWords.base(o, offset);
    long at = DeadheatSyncWords.at(base, o, offset);
    if (at >= 0) releaseJoin(base, at);
  }

  /**
   * Before a compare-and-set: publishes, because others may see what it writes before this thread goes on. What {@link #withdraw} needs if nothing is
   * written: the word before, or -1 if that cannot be had back.
   */
  @Hidden
  public static long tryRelease(Object o, long offset) {
    if (!attached()) return -1;
    Object base = DeadheatSyncWords.base(o, offset);
    long at = DeadheatSyncWords.at(base, o, offset);
    if (at < 0) return -1;
    Thread t = Thread.currentThread();
    long old = U.getLongAcquire(base, at);
    if (known(old, U.getLong(t, CLOCKS))) {
      long word = FAST ? publish(t) : publishNow();
      if (word == old) return -1;
      if (word > 0 && U.compareAndSetLong(base, at, old, word)) return old;
    }
    releaseJoin(base, at);
    return -1;
  }

  /** Behind one that may have failed: if so it was a load only. */
  @Hidden
  public static void tried(boolean succeeded, Object o, long offset, long before) {
    if (!succeeded) withdraw(o, offset, before);
    atomicAcquire(o, offset);
  }

  /**
   * Takes back what {@link #tryRelease} published, unless somebody has released since: every other thread's release changes the word, to an epoch
   * of its own or to a joined clock, so a word that is still this thread's says that nobody has. (Or that it was taken back like this one.)
   */
  @Hidden
  static void withdraw(Object o, long offset, long before) {
    if (before < 0 || !attached()) return;
    Object base = DeadheatSyncWords.base(o, offset);
    long at = DeadheatSyncWords.at(base, o, offset);
    if (at < 0) return;
    long word = U.getLong(U.getLong(Thread.currentThread(), STATE) + DeadheatLayout.STATE_LAST_RELEASE);
    U.compareAndSetLong(base, at, word, before);
  }

  /** {@link #atomicRelease} for a store behind a release fence, where {@code fence} is what {@link #publishNow} returned. */
  @Hidden
  static void releaseAt(Object o, long offset, long fence) {
    Object base = DeadheatSyncWords.base(o, offset);
    long at = DeadheatSyncWords.at(base, o, offset);
    if (at < 0) return;
    for (;;) {
      long old = U.getLongAcquire(base, at);
      // What is between the fence and the store is not published, unless the word holds another thread's release already: to keep that
      // one takes a join, and there is none of a past clock.
      if (fence < 0 || old < 0 || old != 0 && old >>> DeadheatLayout.CLOCK_BITS != fence >>> DeadheatLayout.CLOCK_BITS) break;
      if (old >= fence || U.compareAndSetLong(base, at, old, fence)) return;
    }
    releaseJoin(base, at);
  }

  /** Whether an acquire of {@code o} at {@code offset} would tell this thread anything. Allocates nothing. */
  @Hidden
  static boolean hasNews(Object o, long offset) {
    long word = DeadheatSyncWords.known(o, offset);
    return word != 0 && !known(word, U.getLong(Thread.currentThread(), CLOCKS));
  }

  /** A release that goes into no word yet: the word to release later. */
  @Hidden
  static long publishNow() {
    Thread t = Thread.currentThread();
    long word = FAST ? publish(t) : 0;
    if (word != 0) return word;
    long state = U.getLong(t, STATE);
    word = onRelease(state, 0);
    newEpoch(t);
    if (word < 0) discard(state, word, 0);  // a thread without a slot: it releases what it knows at the store
    return word;
  }

  /** Before a plain store that publishes into an array of references (fork-join's queues). */
  @Hidden
  public static void elementReleases(Object array, int index) {
    if (array == null || index < 0 || !attached()) return;
    atomicRelease(array, elementOffset(index));
  }

  @Hidden
  static long elementOffset(int index) {
    return REFERENCES + (long) index * REFERENCE_SIZE;
  }

  /** After an atomic access of {@code o} at {@code offset} that has read with acquire semantics. */
  @Hidden
  public static void atomicAcquire(Object o, long offset) {
    if (!attached()) return;
    Object base = DeadheatSyncWords.base(o, offset);
    long at = DeadheatSyncWords.at(base, o, offset);
    if (at >= 0) acquire(base, at);
  }

  // ---- the rules, on words ---------------------------------------------------------------------------------------------------

  /** Whether the access in the shadow word {@code word} happens before now in the thread with the clocks at {@code clocks}. */
  @ForceInline
  @Hidden
  static boolean ordered(long word, long clocks) {
    long slot = word >>> DeadheatLayout.SLOT_SHIFT;
    return slot != DeadheatLayout.READ_SET_TAG
        && U.getInt(clocks + slot * 4) >= (int) (word >>> DeadheatLayout.SITE_BITS & DeadheatLayout.CLOCK_MASK);
  }

  /** Whether the release in the sync word {@code word} is known to the thread with the clocks at {@code clocks}. */
  @ForceInline
  @Hidden
  private static boolean known(long word, long clocks) {
    return likely(word >= 0)
        && likely(U.getInt(clocks + (word >>> DeadheatLayout.CLOCK_BITS) * 4) >= (int) (word & DeadheatLayout.CLOCK_MASK));
  }

  @ForceInline
  @Hidden
  static boolean isKnown(long word) {
    Thread t = Deadheat.thread();
    long clocks = t == null ? 0 : U.getLong(t, CLOCKS);
    return clocks != 0 && known(word, clocks);
  }

  /** An acquire of a word that nobody else writes now (a monitor that this thread holds). */
  @ForceInline
  @Hidden
  static void acquire(long word) {
    if (word == 0) return;
    Thread t = Deadheat.thread();
    if (t == null) return;
    long clocks = U.getLong(t, CLOCKS);
    if (clocks == 0 || FAST && known(word, clocks)) return;
    onAcquire(U.getLong(t, STATE), word);
  }

  /** An acquire of a word that other threads may be releasing into. */
  @Hidden
  static void acquire(Object base, long offset) {
    long word = U.getLongAcquire(base, offset);
    if (word == 0) return;
    Thread t = Deadheat.thread();
    if (t == null) return;
    long clocks = U.getLong(t, CLOCKS);
    if (clocks == 0 || FAST && known(word, clocks)) return;
    acquireSlow(base, offset, U.getLong(t, STATE));
  }

  /** The word may be replaced, and the clock behind it freed, between the look and the acquire: then look again. */
  @Hidden
  private static void acquireSlow(Object base, long offset, long state) {
    while (!onAcquire(state, U.getLongAcquire(base, offset))) Thread.onSpinWait();
  }

  /** A release by the only thread that may write the word now (owner of the monitor, initialiser, parent of a new thread). */
  @Hidden
  static void release(Object base, long offset) {
    Thread t = Deadheat.thread();
    if (t == null || U.getLong(t, CLOCKS) == 0) return;
    long old = U.getLong(base, offset);
    long word = FAST && old >= 0 ? publish(t) : 0;
    if (word == 0) {
      word = onRelease(U.getLong(t, STATE), old);
      newEpoch(t);
    }
    U.putLongRelease(base, offset, word);
  }

  /** A release into a word that other threads may be releasing into: joined with what is there. */
  @Hidden
  static void releaseJoin(Object base, long offset) {
    Thread t = Deadheat.thread();
    if (t == null || U.getLong(t, CLOCKS) == 0) return;
    long old = U.getLongAcquire(base, offset);
    if (FAST && known(old, U.getLong(t, CLOCKS))) {
      long word = publish(t);
      if (word == old || word != 0 && U.compareAndSetLong(base, offset, old, word)) return;
    }
    releaseJoinSlow(base, offset, t);
  }

  @Hidden
  private static void releaseJoinSlow(Object base, long offset, Thread t) {
    long state = U.getLong(t, STATE);
    for (;;) {
      long old = U.getLongAcquire(base, offset);
      long joined = onReleaseJoin(state, old);
      if (joined == old && old >= 0 || U.compareAndSetLong(base, offset, old, joined)) {
        if (old < 0) discard(state, old, joined);
        break;
      }
      if (joined < 0) discard(state, joined, old);
    }
    newEpoch(t);
  }

  /**
   * Ends the epoch of {@code t} if it has anything to publish and returns the word to release: publish() of engine/sync.cc, whose
   * fields it writes. 0: the clock is at its limit or the thread has no slot, ask the engine.
   */
  @Hidden
  private static long publish(Thread t) {
    long word = tick(t);
    long epoch = U.getLong(t, EPOCH);
    if (word == 0 || U.getLong(t, READS) == epoch) return word;
    long state = U.getLong(t, STATE);
    U.putLong(state + DeadheatLayout.STATE_SHARED, -1);
    U.putLong(state + DeadheatLayout.STATE_READ_EPOCH, epoch);
    U.putLong(t, READS, epoch);
    return word;
  }

  /** The same but for the reads, which go on as before: freeze() of engine/frozen.h. */
  @Hidden
  private static long tick(Thread t) {
    long state = U.getLong(t, STATE);
    if (ALWAYS_HIT || U.getByte(state + DeadheatLayout.STATE_DIRTY) == 0) return U.getLong(state + DeadheatLayout.STATE_LAST_RELEASE);
    long epoch = U.getLong(t, EPOCH);
    if (epoch <= 0 || (epoch & DeadheatLayout.CLOCK_MASK) == DeadheatLayout.CLOCK_MASK) return 0;
    long next = epoch + 1;
    int clock = (int) (next & DeadheatLayout.CLOCK_MASK);
    U.putLong(state + DeadheatLayout.STATE_LAST_RELEASE, epoch);
    U.putByte(state + DeadheatLayout.STATE_DIRTY, (byte) 0);
    U.putInt(state + DeadheatLayout.STATE_CLOCK, clock);
    U.putInt(U.getLong(t, CLOCKS) + (epoch >>> DeadheatLayout.CLOCK_BITS) * 4, clock);
    U.putLong(state + DeadheatLayout.STATE_EPOCH, next);
    U.putLong(t, EPOCH, next);
    return epoch;
  }

  /** Whether the current thread is known to the engine; while the VM starts none is. */
  @ForceInline
  @Hidden
  static boolean attached() {
    Thread t = Deadheat.thread();
    return t != null && U.getLong(t, CLOCKS) != 0;
  }

  @ForceInline
  @Hidden
  private static void newEpoch(Thread t) {
    if (ALWAYS_HIT) return;  // all threads have one, for ever
    long state = U.getLong(t, STATE);
    U.putLong(t, EPOCH, U.getLong(state + DeadheatLayout.STATE_EPOCH));
    U.putLong(t, READS, U.getLong(state + DeadheatLayout.STATE_READ_EPOCH));
  }

  /** False: the word is out of date. */
  @Hidden
  private static native boolean onAcquire(long state, long word);

  @Hidden
  private static native long onRelease(long state, long word);

  @Hidden
  private static native long onReleaseJoin(long state, long word);

  @Hidden
  private static native void discard(long state, long unused, long kept);
}
