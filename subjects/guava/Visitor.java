// SPDX-License-Identifier: Apache-2.0
package subjects.guava;

import com.google.common.base.Strings;
import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.Multimap;
import java.util.SplittableRandom;
import java.util.TreeSet;
import subjects.harness.Digest;

/** One thread's walk through the profiles. */
final class Visitor {
  private static final int SAMPLE_EVERY = 100;

  private final ProfileCache cache;
  private final Tally tally;
  private final SplittableRandom random;

  Visitor(ProfileCache cache, Tally tally, SplittableRandom random) {
    this.cache = cache;
    this.tally = tally;
    this.random = random;
  }

  String visit(int lookups) {
    Multimap<String, Integer> seen = ArrayListMultimap.create();
    Digest digest = new Digest();
    long mixed = 0;
    for (int i = 0; i < lookups; i++) {
      ProfileCache.Profile profile = cache.get(pick());
      mixed = mixed * 31 + profile.hash();
      if (i % SAMPLE_EVERY == 0) {
        seen.put(profile.city(), profile.number());
        tally.countCity(profile.city());
        digest.add(Strings.padStart(profile.tags().get(0), 12, '.'));
      }
    }
    tally.countVisitor(seen.size() + seen.keySet().size());
    return digest.add(mixed).add(new TreeSet<>(seen.keySet())).hex();
  }

  /** Mostly popular profiles, so that the cache is of use. */
  private int pick() {
    double skewed = Math.pow(random.nextDouble(), 4);
    return (int) (skewed * ProfileCache.PROFILES);
  }
}
