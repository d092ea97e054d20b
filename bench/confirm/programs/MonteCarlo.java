// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** In the manner of montecarlo: results go to a synchronised list, and a flag for debugging is read and written by all. */
public final class MonteCarlo {
  private static final int RUNS = 30;
  private static final List<Double> results = Collections.synchronizedList(new ArrayList<>());
  static boolean debug;

  private MonteCarlo() {}

  private static void simulate(int seed) {
    Random random = new Random(seed);
    for (int run = 0; run < RUNS; run++) {
      double price = 100;
      for (int day = 0; day < 50; day++) price *= 1 + random.nextGaussian() / 100;
      if (run == 0) debug = seed < 0;
      results.add(price);
    }
    if (debug) System.out.println("debug");
  }

  public static void main(String[] arguments) throws Exception {
    Threads.runAll(() -> simulate(1), () -> simulate(2));
    System.out.println(results.size());
  }
}
