// SPDX-License-Identifier: Apache-2.0
package confirm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Races of plain accesses with atomic ones of the same variable.
 *
 * <p>With the argument {@code together} both threads live when they begin (see {@link Together}).
 */
public final class Modes {
  private static final VarHandle PUBLISHED;
  private static final VarHandle ADDED;
  private static final VarHandle SEEN;
  private static final VarHandle APART;
  private static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(int[].class);

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      PUBLISHED = lookup.findVarHandle(Modes.class, "published", int.class);
      ADDED = lookup.findVarHandle(Modes.class, "added", int.class);
      SEEN = lookup.findStaticVarHandle(Modes.class, "seen", int.class);
      APART = lookup.findVarHandle(Modes.class, "apart", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private int published, added, apart;
  private static int seen;
  private final int[] elements = new int[4];

  private Modes() {}

  private static int parties;

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0 && arguments[0].equals("together")) parties = 2;
    Modes shared = new Modes();
    beside(() -> PUBLISHED.setVolatile(shared, 1), () -> shared.published = 2);
    beside(() -> ADDED.getAndAdd(shared, 1), () -> shared.added = 2);
    beside(() -> SEEN.getAcquire(), () -> seen = 2);
    beside(() -> ELEMENTS.setRelease(shared.elements, 1, 1), () -> shared.elements[1] = 2);
    // No race: both are atomic.
    beside(() -> APART.getAndAdd(shared, 1), () -> APART.setOpaque(shared, 1));
  }

  private static void beside(Runnable one, Runnable other) throws InterruptedException {
    Together both = new Together(parties);
    Thread first = new Thread(() -> act(both, one)), second = new Thread(() -> act(both, other));
    first.start();
    second.start();
    first.join();
    second.join();
  }

  private static void act(Together both, Runnable access) {
    both.meet();
    access.run();
  }
}
