// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.ArrayList;
import java.util.Collections;

/** {@code Collections.synchronizedList} over a {@code ArrayList}. */
public final class SyncArrayList {
  private SyncArrayList() {}

  public static void main(String[] arguments) throws Exception {
    CollectionDriver.run(Collections.synchronizedList(new ArrayList<>()), Collections.synchronizedList(new ArrayList<>()));
  }
}
