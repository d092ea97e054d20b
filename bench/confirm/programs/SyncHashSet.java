// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.HashSet;
import java.util.Collections;

/** {@code Collections.synchronizedSet} over a {@code HashSet}. */
public final class SyncHashSet {
  private SyncHashSet() {}

  public static void main(String[] arguments) throws Exception {
    CollectionDriver.run(Collections.synchronizedSet(new HashSet<>()), Collections.synchronizedSet(new HashSet<>()));
  }
}
