// SPDX-License-Identifier: Apache-2.0
package confirm;

/**
 * A check for null and a use behind it in one line: one race, as far as source lines can tell, but only a write that comes between the two
 * breaks it.
 *
 * <p>With the argument {@code together} both threads live when they begin (see {@link Together}).
 */
public final class CheckedLine {
  static StringBuilder report = new StringBuilder();

  private CheckedLine() {}

  public static void main(String[] arguments) throws Exception {
    Together both = new Together(arguments.length > 0 && arguments[0].equals("together") ? 2 : 0);
    Thread writer = new Thread(() -> {
      both.meet();
      int length = report == null ? 0 : report.length();
      both.pass();
    }, "writer");
    Thread closer = new Thread(() -> {
      both.meet();
      both.awaitPassed(1);
      report = null;
    }, "closer");
    writer.start();
    closer.start();
    writer.join();
    closer.join();
  }
}
