// SPDX-License-Identifier: Apache-2.0
package semantics;

/**
 * Figure 1 of "Race Directed Random Testing of Concurrent Programs" (Sen, PLDI 2008). The race on {@code z} is real; the one on
 * {@code x} cannot happen, because {@code y} is read under the lock. Hybrid detection cannot know that (section 2.2).
 */
public final class RaceFuzzerFigure1 {
  static int x, y, z;
  static final Object L = new Object();

  private RaceFuzzerFigure1() {}

  public static void main(String[] arguments) throws Exception {
    InOrder.run(arguments[0], () -> {
      x = 1;
      synchronized (L) {
        y = 1;
      }
      if (z == 1) System.out.println("ERROR1");
    }, () -> {
      z = 1;
      synchronized (L) {
        if (y == 1 && x != 1) System.out.println("ERROR2");
      }
    });
  }
}
