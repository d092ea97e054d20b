// SPDX-License-Identifier: Apache-2.0
package java.lang.invoke;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Tells C2 what it cannot learn: that hooks hit. It takes the odds of a branch from the first times that it was passed. For a hook these are
 * the start of the VM, when nearly everything is accessed for the first time, and they are the same for every place that the hook is
 * inlined at. C2 then lays each access out for a call: what lives across it is kept on the stack, on the way of the hits too.
 *
 * <p>In this package because the methods behind it, by which method handles do the same, are not public. Below C2 it is nothing.
 */
public final class DeadheatOdds {
  /** How often a condition was false, and true: less than one in ten thousand is what C2 takes for uncommon, none for impossible. */
  private static final int[] MOSTLY = {1, 1_000_000};

  private DeadheatOdds() {}

  /** Once, before there are hooks: none of them is to initialise what is behind this, or to find that this JVM does not have it. */
  @Hidden
  public static void start() {
    MethodHandleImpl.profileBoolean(isCompiledByC2(), new int[2]);
  }

  /** Whether it is C2 that has compiled the code which asks. */
  @ForceInline
  @Hidden
  public static boolean isCompiledByC2() {
    return MethodHandleImpl.isCompileConstant(MOSTLY);
  }

  /** Whether C2 knows which object {@code o} is. */
  @ForceInline
  @Hidden
  public static boolean isConstant(Object o) {
    return MethodHandleImpl.isCompileConstant(o);
  }

  /** {@code condition}, which C2 is to take for all but certain. */
  @ForceInline
  @Hidden
  public static boolean likely(boolean condition) {
    return isCompiledByC2() ? MethodHandleImpl.profileBoolean(condition, MOSTLY) : condition;
  }
}
