// SPDX-License-Identifier: Apache-2.0
package subjects.guava;

import java.util.TreeMap;
import subjects.harness.Corpus;
import subjects.harness.Digest;
import subjects.harness.Driver;
import subjects.harness.Options;
import subjects.harness.Subject;
import subjects.harness.Workers;

/** A bounded loading cache under load from all threads, with Guava's concurrent counters beside it. */
public final class GuavaSubject implements Subject {
  private static final int LOOKUPS_PER_ITEM = 5000;

  public static void main(String[] args) {
    Driver.run(new GuavaSubject(), args);
  }

  @Override
  public String name() {
    return "guava";
  }

  @Override
  public void run(Options options, Digest result) throws Exception {
    Corpus corpus = new Corpus(options.seed());
    ProfileCache cache = new ProfileCache(corpus);
    Tally tally = new Tally();
    result.add(
        Workers.map(
            options.threads(),
            options.amount(60, 300),
            item -> new Visitor(cache, tally, corpus.random(item)).visit(LOOKUPS_PER_ITEM)));
    result.add(new TreeMap<>(tally.byCity()).entrySet()).add(tally.visitors());
    cache.check();
  }
}
