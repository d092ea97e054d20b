// SPDX-License-Identifier: Apache-2.0
package programs;

/** In the manner of raytracer: rows are traced side by side, each thread under a lock of its own, and the checksum is all threads'. */
public final class RayTracer {
  private static final int SIZE = 32;
  static long checksum;

  private final Object lock = new Object();
  private final int first;

  private RayTracer(int first) {
    this.first = first;
  }

  private static long trace(int y) {
    long row = 0;
    for (int x = 0; x < SIZE; x++) {
      double distance = Math.sqrt((x - 16) * (x - 16) + (y - 16) * (y - 16));
      if (distance < 12) row += (long) (distance * 255);
    }
    return row;
  }

  private void render() {
    for (int y = first; y < SIZE; y += 2) {
      long row = trace(y);
      synchronized (lock) {  // the wrong one
        checksum += row;
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    RayTracer even = new RayTracer(0);
    RayTracer odd = new RayTracer(1);
    Threads.runAll(even::render, odd::render);
    long right = 0;
    for (int y = 0; y < SIZE; y++) right += trace(y);
    if (checksum != right) throw new IllegalStateException("wrong checksum " + checksum);
  }
}
