// SPDX-License-Identifier: Apache-2.0
package programs;

/** In the manner of moldyn: forces and positions in phases; a counter of interactions that nobody guards. */
public final class MolDyn {
  private static final int THREADS = 3;
  private static final int PARTICLES = 24;
  private static final int STEPS = 3;
  private static final double[] position = new double[PARTICLES];
  private static final double[] force = new double[PARTICLES];
  private static final PhaseBarrier barrier = new PhaseBarrier(THREADS);
  static int interactions;
  static double energy;

  private MolDyn() {}

  private static void work(int self) {
    for (int step = 0; step < STEPS; step++) {
      for (int i = self; i < PARTICLES; i += THREADS) {
        double sum = 0;
        for (int j = 0; j < PARTICLES; j++) {
          if (j != i) sum += 1 / (1 + Math.abs(position[i] - position[j]));
        }
        force[i] = sum;
      }
      interactions++;
      barrier.await();
      for (int i = self; i < PARTICLES; i += THREADS) position[i] += force[i] * 0.01;
      barrier.await();
      if (self == 0) energy = force[0];
      barrier.await();
      if (energy < 0) throw new IllegalStateException("energy " + energy);
    }
  }

  public static void main(String[] arguments) throws Exception {
    for (int i = 0; i < PARTICLES; i++) position[i] = i;
    Threads.runAll(() -> work(0), () -> work(1), () -> work(2));
    System.out.println(position[PARTICLES - 1] > PARTICLES - 1);
  }
}
