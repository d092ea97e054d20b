// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.Collection;
import java.util.List;

/**
 * What closes an open library class, as in the paper: two collections, and threads that call methods of one with the other as the
 * argument. The decorators of {@code java.util.Collections} lock the one and walk over the other without its lock.
 */
final class CollectionDriver {
  private CollectionDriver() {}

  static void run(Collection<Integer> first, Collection<Integer> second) throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      first.add(i);
      second.add(i);
    }
    Threads.runAll(
        () -> first.containsAll(second),
        () -> first.addAll(second),
        () -> first.equals(second),
        () -> second.removeAll(List.of(1, 2)),
        () -> second.add(9));
  }
}
