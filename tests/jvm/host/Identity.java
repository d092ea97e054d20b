// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

/** The identity hashes of a thread's objects come in the same order on every run of a JVM: programs print them. */
public final class Identity {
  public static void main(String[] args) {
    section("sequence", () -> {
      int[] numbers = new int[8];
      for (int i = 0; i < 8; i++) {
        numbers[i] = i;
        Object o = new Object();
        synchronized (o) {
          say(o + " " + new int[1]);
        }
      }
    });
  }
}
