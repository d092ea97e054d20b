// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.Stack;

/**
 * Figure 1.3 of Li's dissertation (2012), from Tomcat (bug 31018): between {@code isEmpty} and {@code pop} another thread may empty the stack. No data race, because
 * both methods of {@code java.util.Stack} are synchronized: an atomicity violation.
 */
public final class LiFigure13 {
  static final Stack<Object> reuse = new Stack<>();

  private LiFigure13() {}

  public static void main(String[] arguments) throws Exception {
    reuse.push("log");
    InOrder.run(arguments[0], LiFigure13::take, LiFigure13::take);
  }

  private static Object take() {
    return reuse.isEmpty() ? new Object() : reuse.pop();
  }
}
