// SPDX-License-Identifier: Apache-2.0
package semantics;

/**
 * Figure 1.2 of Li's dissertation (2012), with a shorter loop and with the two objects shared, as its text has it: {@code n.flag} is cleared once and
 * incremented over and over; {@code s} is never written.
 */
public final class LiFigure12 {
  static final class Datum {
    int flag = 1;

    void inc() {
      flag++;
    }

    void clear() {
      flag = 0;
    }

    boolean isReady() {
      return flag > 0;
    }
  }

  static final Datum s = new Datum();
  static final Datum n = new Datum();

  private LiFigure12() {}

  public static void main(String[] arguments) throws Exception {
    InOrder.run(arguments[0], () -> {
      n.clear();
      increment();
    }, LiFigure12::increment);
  }

  private static void increment() {
    for (int i = 0; i < 10_000; i++) {
      if (s.isReady()) n.inc();
    }
  }
}
