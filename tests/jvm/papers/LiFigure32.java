// SPDX-License-Identifier: Apache-2.0
package semantics;

/** Figure 3.2 of Li's dissertation (2012), with loops that end: a field is read once and in a loop while another thread replaces its value. */
public final class LiFigure32 {
  static final class Datum {}

  static Datum d = new Datum();

  private LiFigure32() {}

  public static void main(String[] arguments) throws Exception {
    InOrder.run(arguments[0], () -> {
      Datum d1 = d;
      for (int i = 0; i < 10_000; i++) {
        Datum d2 = d;
      }
    }, () -> {
      for (int i = 0; i < 10; i++) d = new Datum();
    });
  }
}
