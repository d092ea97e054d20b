// SPDX-License-Identifier: Apache-2.0

/**
 * Figure 1 of PECAN (ISSTA 2011): races of lines 2 and 5, 2 and 6, 3 and 7. The last one leads to the error of line 4; the run that is
 * recorded does not come to it.
 */
public final class PecanFigure1 {
  int mode = 1;
  int x;
  int y;

  void first() {
    if (mode == 0) return; // 1
    x = 1; // 2
    if (y == 1) // 3
      throw new IllegalStateException("ERROR"); // 4
  }

  void second() {
    int before = x; // 5
    int after = x; // 6
    y = after >= before ? 1 : 2; // 7
  }

  public static void main(String[] arguments) throws InterruptedException {
    PecanFigure1 figure = new PecanFigure1();
    Thread first = new Thread(figure::first);
    Thread second = new Thread(figure::second);
    first.start();
    second.start();
    first.join();
    second.join();
  }
}
