// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Vector;

/** {@code Vector} has a lock of its own; its iterators and enumerations ask for the size without it. */
public final class VectorDriver {
  private VectorDriver() {}

  public static void main(String[] arguments) throws Exception {
    Vector<Integer> first = new Vector<>(List.of(0, 1, 2, 3));
    Vector<Integer> second = new Vector<>(List.of(0, 1, 2, 3));
    Threads.runAll(
        () -> {
          for (Iterator<Integer> i = second.iterator(); i.hasNext();) i.next();
        },
        () -> {
          for (Enumeration<Integer> e = second.elements(); e.hasMoreElements();) e.nextElement();
        },
        () -> first.addAll(second),
        () -> second.removeAll(List.of(1, 2)),
        () -> second.add(9));
  }
}
