// SPDX-License-Identifier: Apache-2.0
package programs;

/** In the manner of sor: red and black rows in turn with a barrier between. Candidates all over, and no race. */
public final class Sor {
  private static final int SIZE = 12;
  private static final double[][] grid = new double[SIZE][SIZE];
  private static final PhaseBarrier barrier = new PhaseBarrier(2);

  private Sor() {}

  private static void relax(int self) {
    for (int iteration = 0; iteration < 3; iteration++) {
      for (int colour = 0; colour < 2; colour++) {
        for (int i = 1 + (self * 2 + colour); i < SIZE - 1; i += 4) {
          for (int j = 1; j < SIZE - 1; j++) {
            grid[i][j] = (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]) / 4;
          }
        }
        barrier.await();
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    for (double[] row : grid) row[0] = 1;
    Threads.runAll(() -> relax(0), () -> relax(1));
    System.out.println(grid[5][1] > 0);
  }
}
