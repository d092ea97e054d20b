// SPDX-License-Identifier: Apache-2.0
package confirm;

/**
 * Two threads count in one line, which reads and writes: one count is lost whenever a read comes between the other's two. Nothing fails; only the
 * output tells.
 *
 * <p>With the argument {@code together} both threads live when they begin (see {@link Together}).
 */
public final class LostUpdate {
  static int count;

  private LostUpdate() {}

  public static void main(String[] arguments) throws Exception {
    Together both = new Together(arguments.length > 0 && arguments[0].equals("together") ? 2 : 0);
    Runnable counting = () -> {
      both.meet();
      count++;
    };
    Thread first = new Thread(counting);
    Thread second = new Thread(counting);
    first.start();
    second.start();
    first.join();
    second.join();
    System.out.println("count " + count);
  }
}
