// SPDX-License-Identifier: Apache-2.0
package subjects.guava;

import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.util.concurrent.AtomicLongMap;
import com.google.common.util.concurrent.Striped;
import java.util.Map;
import java.util.concurrent.locks.Lock;

/** What all visitors count together: sums only, so the order does not matter. */
final class Tally {
  private static final int STRIPES = 16;

  private final AtomicLongMap<String> cities = AtomicLongMap.create();
  private final Multiset<Integer> sizes = ConcurrentHashMultiset.create();
  private final Striped<Lock> locks = Striped.lock(STRIPES);
  private final long[] visitors = new long[STRIPES];

  void countCity(String city) {
    cities.incrementAndGet(city);
  }

  void countVisitor(int size) {
    sizes.add(size);
    int slot = size % STRIPES;
    Lock lock = locks.getAt(slot);
    lock.lock();
    try {
      visitors[slot]++;
    } finally {
      lock.unlock();
    }
  }

  Map<String, Long> byCity() {
    return cities.asMap();
  }

  /** Read after the visitors are done. */
  long visitors() {
    long total = 0;
    for (long count : visitors) {
      total += count;
    }
    if (total != sizes.size()) {
      throw new IllegalStateException("lost updates: " + total + " under locks, " + sizes.size() + " in the multiset");
    }
    return total;
  }
}
