// SPDX-License-Identifier: Apache-2.0
package subjects.guava;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.CacheStats;
import com.google.common.cache.LoadingCache;
import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import subjects.harness.Corpus;

/** Profiles by number, loaded on demand. Which are evicted depends on the schedule; what a lookup returns does not. */
final class ProfileCache {
  static final int PROFILES = 20_000;
  private static final int CACHED = 4000;

  /** What a lookup returns. */
  record Profile(int number, String city, ImmutableList<String> tags, long hash) {}

  private final Corpus corpus;
  private final LoadingCache<Integer, Profile> cache;

  ProfileCache(Corpus corpus) {
    this.corpus = corpus;
    this.cache =
        CacheBuilder.newBuilder()
            .maximumSize(CACHED)
            .concurrencyLevel(8)
            .recordStats()
            .build(CacheLoader.from(this::load));
  }

  Profile get(int number) {
    return cache.getUnchecked(number);
  }

  /** The bound was kept (the smallest size loads fewer) and every lookup that missed was loaded. */
  void check() {
    CacheStats stats = cache.stats();
    boolean evicts = stats.evictionCount() > 0 || stats.loadCount() <= CACHED;
    if (cache.size() > CACHED || stats.loadCount() != stats.loadSuccessCount() || !evicts) {
      throw new IllegalStateException("cache of " + CACHED + " holds " + cache.size() + ", " + stats);
    }
  }

  private Profile load(int number) {
    SplittableRandom random = corpus.random(number);
    String text = corpus.sentence(random, 12);
    ImmutableList<String> tags = ImmutableList.sortedCopyOf(Splitter.on(' ').split(text));
    long hash = Hashing.murmur3_128().hashString(Joiner.on('|').join(tags), StandardCharsets.UTF_8).asLong();
    return new Profile(number, "city" + random.nextInt(50), tags, hash);
  }
}
