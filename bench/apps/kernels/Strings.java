// SPDX-License-Identifier: Apache-2.0
package kernels;

/** Text built with StringBuilder: numbers, characters, inserts and deletes. */
final class Strings implements Kernel {
  private static final int LINES = 20;

  @Override
  public String name() {
    return "strings";
  }

  @Override
  public int iterations() {
    return 60_000;
  }

  @Override
  public long work(int thread, int iterations) {
    long total = thread;
    for (int i = 0; i < iterations; i++) {
      total = total * 31 + page(i).hashCode();
    }
    return total;
  }

  private static String page(int number) {
    StringBuilder page = new StringBuilder();
    for (int line = 0; line < LINES; line++) {
      page.append("line ").append(line * number).append(':').append((char) ('a' + line)).append('\n');
    }
    page.insert(0, "page ").setCharAt(0, 'P');
    return page.deleteCharAt(page.length() - 1).reverse().toString();
  }
}
