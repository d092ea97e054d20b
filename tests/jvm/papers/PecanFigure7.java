// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.Vector;

/**
 * Figure 7 of "Persuasive Prediction of Concurrency Access Anomalies" (Huang and Zhang, ISSTA 2011), from Jigsaw: two threads may take the same event. An atomicity
 * violation of methods that are synchronized each, no data race.
 */
public final class PecanFigure7 {
  static final Vector<String> queue = new Vector<>();

  private PecanFigure7() {}

  public static void main(String[] arguments) throws Exception {
    queue.add("first");
    queue.add("second");
    InOrder.run(arguments[0], PecanFigure7::nextEvent, PecanFigure7::nextEvent);
  }

  private static String nextEvent() {
    while (queue.size() == 0) Thread.onSpinWait();
    String event = queue.elementAt(0);
    queue.removeElementAt(0);
    return event;
  }
}
