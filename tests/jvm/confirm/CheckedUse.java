// SPDX-License-Identifier: Apache-2.0
package confirm;

/**
 * A check for null and a use behind it, with nothing between that a scheduler could switch at: only a write that comes at the use itself
 * breaks it, so the use has to be a candidate of its own.
 *
 * <p>With the argument {@code together} both threads live when they begin (see {@link Together}).
 */
public final class CheckedUse {
  static StringBuilder report = new StringBuilder();

  private CheckedUse() {}

  public static void main(String[] arguments) throws Exception {
    Together both = new Together(arguments.length > 0 && arguments[0].equals("together") ? 2 : 0);
    Thread writer = new Thread(() -> {
      both.meet();
      if (report != null) {
        report.append("done");
      }
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
