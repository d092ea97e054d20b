// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks for arrays that go from method to method while nobody else has a reference to them ({@code classfile/handed_arrays.cc}). What a call
 * hands over, and what comes back, is a token in the thread: of a method, and of the parameter or result. See {@link Deadheat} for the rules that
 * hold for every hook.
 */
public final class DeadheatHanded {
  /** In place of the cell of an array that is the thread's own. Nothing is known of such an array, and nothing is recorded. */
  private static final DeadheatCell OWN = new DeadheatCell(new Object(), 0);

  private DeadheatHanded() {}

  // ---- accesses: those of DeadheatArrays where the hint does not say so ---------------------------------------------------------

  @ForceInline
  @Hidden
  public static DeadheatCell read(Object array, int index, int site, DeadheatCell hint) {
    return hint == OWN ? hint : DeadheatArrays.read(array, index, site, hint);
  }

  @ForceInline
  @Hidden
  public static DeadheatCell write(Object array, int index, int site, DeadheatCell hint) {
    return hint == OWN ? hint : DeadheatArrays.write(array, index, site, hint);
  }

  @ForceInline
  @Hidden
  public static DeadheatCell writeReference(Object array, int index, Object value, int site, DeadheatCell hint) {
    return hint == OWN ? hint : DeadheatArrays.writeReference(array, index, value, site, hint);
  }

  // ---- a call ------------------------------------------------------------------------------------------------------------------

  /** Before a call that is given an array, which {@code hint} may say is the thread's own. */
  @ForceInline
  @Hidden
  public static void handing(int token, DeadheatCell hint) {
    hand(hint == OWN ? token : 0);
  }

  /** Before a call that is given an array which is the thread's own. */
  @ForceInline
  @Hidden
  public static void handing(int token) {
    hand(token);
  }

  @ForceInline
  @Hidden
  private static void hand(int token) {
    Thread t = Deadheat.thread();
    if (t == null) return;
    U.putInt(t, HANDED, token);
    U.putInt(t, KEPT, 0);
  }

  /** First thing in a method, for each of its arrays: whether it was handed this one. */
  @ForceInline
  @Hidden
  public static DeadheatCell passed(int token, int last) {
    Thread t = Deadheat.thread();
    if (t == null) return null;
    boolean own = U.getInt(t, HANDED) == token;
    if (own || last != 0) U.putInt(t, HANDED, 0);
    return own ? OWN : null;
  }

  /** Before a method returns that has put the array nowhere. */
  @ForceInline
  @Hidden
  public static void keeping(int token, DeadheatCell hint) {
    if (hint == OWN) U.putInt(Thread.currentThread(), KEPT, token);
  }

  /** Behind the call: whether the array is still the thread's own. */
  @ForceInline
  @Hidden
  public static DeadheatCell kept(int token) {
    Thread t = Deadheat.thread();
    if (t == null) return null;
    boolean own = U.getInt(t, KEPT) == token;
    U.putInt(t, KEPT, 0);
    U.putInt(t, HANDED, 0);
    return own ? OWN : null;
  }

  /** Around a call where nobody asks; and first thing in a method that cannot tell. */
  @ForceInline
  @Hidden
  public static void handed() {
    hand(0);
  }

  // ---- a result ------------------------------------------------------------------------------------------------------------------

  /** Before a method returns an array that is the thread's own; with 0, one that is not, and before a call that may. */
  @ForceInline
  @Hidden
  public static void making(int token) {
    Thread t = Deadheat.thread();
    if (t != null) U.putInt(t, MADE, token);
  }

  /** Before it returns one that is if {@code hint} says so. */
  @ForceInline
  @Hidden
  public static void making(int token, DeadheatCell hint) {
    making(hint == OWN ? token : 0);
  }

  /** Behind the call: whether what it returned is. */
  @ForceInline
  @Hidden
  public static DeadheatCell made(int token) {
    Thread t = Deadheat.thread();
    if (t == null) return null;
    boolean own = U.getInt(t, MADE) == token;
    U.putInt(t, MADE, 0);
    return own ? OWN : null;
  }
}
