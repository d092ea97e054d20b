// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.util.concurrent.ConcurrentHashMap;

/** A ConcurrentHashMap that all threads read and add to; sums only, so the order does not matter. */
final class JucMap implements Kernel {
  private static final int KEYS = 2048;

  private final ConcurrentHashMap<Integer, Long> map = new ConcurrentHashMap<>();

  @Override
  public String name() {
    return "juc_map";
  }

  @Override
  public int iterations() {
    return 2_000_000;
  }

  @Override
  public long work(int thread, int iterations) {
    int found = 0;
    for (int i = 0; i < iterations; i++) {
      Integer key = (i * 31 + thread) & (KEYS - 1);
      if (i % 8 == 0) {
        map.merge(key, 1L, Long::sum);
      } else if (map.getOrDefault(key, 0L) < 0) {
        found++;
      }
    }
    return found;
  }

  @Override
  public long finish() {
    long total = map.reduceEntriesToLong(Long.MAX_VALUE, e -> e.getKey() * e.getValue(), 0, Long::sum);
    map.clear();
    return total;
  }
}
