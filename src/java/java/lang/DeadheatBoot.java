// SPDX-License-Identifier: Apache-2.0
package java.lang;

/**
 * Called once by the agent before any other Java code runs. Native methods of a java.base class may only be registered without a
 * warning on standard output by code of java.base: the agent does it while {@link #load} makes the VM load a class, because then
 * the two frames of this class are on the stack.
 */
final class DeadheatBoot {
  private DeadheatBoot() {}

  static Object bind() {
    return load();
  }

  /** Any class will do that nothing has loaded so early; the agent names the same one (agent/shim.cc). */
  private static Object load() {
    return java.util.InputMismatchException.class;
  }

  /** Switches the hooks on, once the VM is up and before the main thread is attached. */
  static void start() {
    DeadheatMap.get(DeadheatBoot.class);
    java.lang.invoke.DeadheatOdds.start();
    Deadheat.live = true;
  }
}
