// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatGate.self;
import static java.lang.DeadheatVm.INIT_WORDS;
import static java.lang.DeadheatVm.U;

import jdk.internal.vm.annotation.Hidden;

/**
 * Class initialisation, which the recorder is told of: what an initialiser did happens before every use of its class. The hooks of
 * {@link DeadheatInit} under the controlled scheduler.
 */
public final class DeadheatGateInit {
  private DeadheatGateInit() {}

  /** In place of {@link DeadheatGate#readStatic}. */
  @Hidden
  public static void readInitialised(int site) {
    long self = self();
    if (self != 0) initialisedStatic(self, site, false);
  }

  /** In place of {@link DeadheatGate#writeStatic}. */
  @Hidden
  public static void writeInitialised(int site) {
    long self = self();
    if (self != 0) initialisedStatic(self, site, true);
  }

  @Hidden
  private static void initialisedStatic(long self, int site, boolean write) {
    if (!isRecent(self, site)) {
      Deadheat.whereOf(null, site);  // which class's field it is
      usedBySite(self, site);
    }
    DeadheatGate.staticField(self, site, write);
  }

  @Hidden
  private static boolean isRecent(long self, int site) {
    return U.getInt(self + DeadheatLayout.RECENT_SITES + 4L * (site & DeadheatLayout.RECENT_SITES_MASK)) == site;
  }

  /** A static field is accessed by way of a call; its site names it. */
  @Hidden
  static void usedAt(long self, int site) {
    if (!isRecent(self, site)) usedBySite(self, site);
  }

  /** First thing in the static methods and constructors of a class that has an initialiser. */
  @Hidden
  public static void used(int init) {
    long self = self();
    if (self == 0 || U.getInt(self + DeadheatLayout.RECENT_INITS + 4L * (init & DeadheatLayout.RECENT_INITS_MASK)) == init) return;
    used(self, init);
  }

  /** After {@code type} was brought to its initialised state without a use of one of its members. */
  @Hidden
  public static void initialised(Object type) {
    if (self() == 0 || !(type instanceof Class<?> c)) return;
    long word = DeadheatInit.initWord(c);
    if (word != 0) used((int) (word - INIT_WORDS >>> 3));
  }

  /** Behind {@code Class.forName(name, initialise, loader)}. */
  @Hidden
  public static void named(Object type, boolean initialise) {
    if (initialise) initialised(type);
  }

  @Hidden
  public static void initialiserBegins(int init) {
    long self = self();
    if (self != 0) initialiser(self, init, true);
  }

  @Hidden
  public static void initialiserEnds(int init) {
    long self = self();
    if (self != 0) initialiser(self, init, false);
  }

  /** Every use of the class ends in {@link #classUnusable} from now on. */
  @Hidden
  public static void initialiserFails() {
    long self = self();
    if (self != 0) failure(self, true);
  }

  /** A NoClassDefFoundError is being made. Which class it is about is not told, so it is ordered after all failures so far. */
  @Hidden
  public static void classUnusable() {
    long self = self();
    if (self != 0) failure(self, false);
  }

  @Hidden
  private static native void usedBySite(long self, int site);

  @Hidden
  private static native void used(long self, int init);

  @Hidden
  private static native void initialiser(long self, int init, boolean begins);

  @Hidden
  private static native void failure(long self, boolean happens);
}
