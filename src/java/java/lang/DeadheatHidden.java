// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.security.ProtectionDomain;
import jdk.internal.vm.annotation.Hidden;

/** Hidden classes (those of lambdas, above all), which no agent is shown: see {@code agent/hidden_classes.h}. */
public final class DeadheatHidden {
  private DeadheatHidden() {}

  /** In place of {@code ClassLoader.defineClass0}. */
  @Hidden
  public static Class<?> define(
      ClassLoader loader, Class<?> lookup, String name, byte[] bytes, int offset, int length, ProtectionDomain domain, boolean initialize,
      int flags, Object data) {
    if (Deadheat.live && offset == 0 && length == bytes.length) {
      byte[] rewritten = rewritten(loader, bytes);
      if (rewritten != null) {
        bytes = rewritten;
        length = rewritten.length;
      }
    }
    return ClassLoader.defineClass0(loader, lookup, name, bytes, offset, length, domain, initialize, flags, data);
  }

  /** The class with a freeze word and hooks at its calls, or null if it has no use for either. */
  @Hidden
  private static native byte[] rewritten(ClassLoader loader, byte[] bytes);
}
