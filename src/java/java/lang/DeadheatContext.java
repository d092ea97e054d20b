// SPDX-License-Identifier: Apache-2.0
package java.lang;

import jdk.internal.vm.annotation.Hidden;

/**
 * The calling context of one thread (see {@link DeadheatHistory}): a plain field of a plain object, so that rewritten code sets it with
 * an ordinary putfield, which costs next to nothing in the interpreter and in the compilers alike. Only its thread touches it.
 */
public final class DeadheatContext {
  public int value;

  /** A cache line for each: contexts are written all the time, and a collection puts them side by side. */
  private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7, pad8, pad9, pad10, pad11, pad12, pad13;

  @Hidden
  DeadheatContext() {}
}
