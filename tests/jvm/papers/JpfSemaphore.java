// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.concurrent.Semaphore;

/**
 * The two examples of section 4 of "Detecting Data Races with Java PathFinder" (Kulikov and others, 2010): an increment that a semaphore protects, which a
 * detector by locksets takes for a race, and one that nothing protects.
 */
public final class JpfSemaphore {
  static final Semaphore semaphore = new Semaphore(1);
  static int variable, bare;

  private JpfSemaphore() {}

  public static void main(String[] arguments) throws Exception {
    InOrder.run(arguments[0], JpfSemaphore::increment, JpfSemaphore::increment);
  }

  private static void increment() {
    bare++;
    semaphore.acquireUninterruptibly();
    variable++;
    semaphore.release();
  }
}
