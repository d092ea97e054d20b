// SPDX-License-Identifier: Apache-2.0
package subjects.harness;

import java.util.SplittableRandom;

/** Made-up text. What an item contains depends on (seed, item) only, so any thread can make any item. */
public final class Corpus {
  private static final String[] ONSETS = {"b", "ch", "d", "f", "gr", "k", "l", "m", "n", "p", "qu", "r", "s", "st", "t", "v"};
  private static final String[] VOWELS = {"a", "e", "i", "o", "u", "ai", "ou"};
  private static final int VOCABULARY = 4096;

  private final long seed;
  private final String[] vocabulary = new String[VOCABULARY];

  public Corpus(long seed) {
    this.seed = seed;
    SplittableRandom random = random(-1);
    for (int i = 0; i < VOCABULARY; i++) {
      vocabulary[i] = makeWord(random);
    }
  }

  /** The random generator of one item. */
  public SplittableRandom random(int item) {
    return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + item);
  }

  /** A word; low ranks are much more frequent than high ones, as in natural text. */
  public String word(SplittableRandom random) {
    double skewed = Math.pow(random.nextDouble(), 3);
    return vocabulary[(int) (skewed * VOCABULARY)];
  }

  public String sentence(SplittableRandom random, int words) {
    StringBuilder text = new StringBuilder(words * 6);
    for (int i = 0; i < words; i++) {
      text.append(i == 0 ? "" : " ").append(word(random));
    }
    return text.toString();
  }

  private static String makeWord(SplittableRandom random) {
    StringBuilder word = new StringBuilder();
    for (int syllables = 1 + random.nextInt(3); syllables > 0; syllables--) {
      word.append(ONSETS[random.nextInt(ONSETS.length)]).append(VOWELS[random.nextInt(VOWELS.length)]);
    }
    return word.toString();
  }
}
