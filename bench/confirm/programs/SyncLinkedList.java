// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.LinkedList;
import java.util.Collections;

/** {@code Collections.synchronizedList} over a {@code LinkedList}. */
public final class SyncLinkedList {
  private SyncLinkedList() {}

  public static void main(String[] arguments) throws Exception {
    CollectionDriver.run(Collections.synchronizedList(new LinkedList<>()), Collections.synchronizedList(new LinkedList<>()));
  }
}
