// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.TreeSet;
import java.util.Collections;

/** {@code Collections.synchronizedSet} over a {@code TreeSet}. */
public final class SyncTreeSet {
  private SyncTreeSet() {}

  public static void main(String[] arguments) throws Exception {
    CollectionDriver.run(Collections.synchronizedSet(new TreeSet<>()), Collections.synchronizedSet(new TreeSet<>()));
  }
}
