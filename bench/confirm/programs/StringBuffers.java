// SPDX-License-Identifier: Apache-2.0
package programs;

/** {@code append(StringBuffer)} copies from another buffer without its lock. */
public final class StringBuffers {
  private StringBuffers() {}

  public static void main(String[] arguments) throws Exception {
    StringBuffer first = new StringBuffer("abcdefgh");
    StringBuffer second = new StringBuffer("0123456789");
    Threads.runAll(
        () -> first.append(second),
        () -> second.setLength(2),
        () -> second.append("more than there is room for in the array of before"));
  }
}
