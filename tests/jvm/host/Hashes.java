// SPDX-License-Identifier: Apache-2.0
package host;

import java.util.HashSet;
import java.util.Set;

/**
 * Meets as many arrays and locks as it is told, and prints the identity hashes of objects that nobody has met, before and behind; and whether the
 * hashes of what was met are hashes: the same whenever they are asked for, and different for different objects, most of the time.
 */
public final class Hashes {
  private static int[][] arrays;
  private static Object[] locks;

  public static void main(String[] arguments) {
    int many = Integer.parseInt(arguments[0]);
    StringBuilder fresh = new StringBuilder("fresh");
    for (int i = 0; i < 8; i++) fresh.append(' ').append(new Object().hashCode());
    meet(many);
    for (int i = 0; i < 8; i++) fresh.append(' ').append(new Object().hashCode());
    int[] before = hashes();
    System.gc();
    meetAgain();
    int[] after = hashes();
    int changed = 0;
    Set<Integer> different = new HashSet<>();
    for (int i = 0; i < before.length; i++) {
      if (before[i] != after[i]) changed++;
      different.add(before[i]);
    }
    System.out.println(fresh);
    System.out.println("changed " + changed + " alike " + (before.length - different.size()));
  }

  private static void meet(int many) {
    arrays = new int[many][];
    locks = new Object[many];
    for (int i = 0; i < many; i++) {
      arrays[i] = new int[1 + i % 5];
      locks[i] = new Object();
    }
    meetAgain();
  }

  private static void meetAgain() {
    for (int i = 0; i < arrays.length; i++) {
      synchronized (locks[i]) {
        arrays[i][0]++;
      }
    }
  }

  private static int[] hashes() {
    int[] hashes = new int[2 * arrays.length];
    for (int i = 0; i < arrays.length; i++) {
      hashes[2 * i] = System.identityHashCode(arrays[i]);
      hashes[2 * i + 1] = locks[i].hashCode();
    }
    return hashes;
  }
}
