// SPDX-License-Identifier: Apache-2.0
package subjects.lucene;

import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.RAMDirectory;
import org.apache.lucene.util.Version;
import subjects.harness.Corpus;
import subjects.harness.Digest;
import subjects.harness.Driver;
import subjects.harness.Options;
import subjects.harness.Subject;
import subjects.harness.Workers;

/** Indexes generated articles with several threads through one writer, then searches them with several threads. */
public final class LuceneSubject implements Subject {
  private static final double RAM_BUFFER_MB = 2; // small, so that flushes and merges happen

  public static void main(String[] args) {
    Driver.run(new LuceneSubject(), args);
  }

  @Override
  public String name() {
    return "lucene";
  }

  @Override
  public void run(Options options, Digest result) throws Exception {
    Articles articles = new Articles(new Corpus(options.seed()));
    try (Analyzer analyzer = new EnglishAnalyzer();
        Directory directory = new RAMDirectory()) {
      index(options, articles, analyzer, directory);
      result.add(search(options, articles, analyzer, directory));
    }
  }

  private static void index(Options options, Articles articles, Analyzer analyzer, Directory directory)
      throws Exception {
    IndexWriterConfig config = new IndexWriterConfig(Version.LATEST, analyzer);
    config.setRAMBufferSizeMB(RAM_BUFFER_MB);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      Workers.map(
          options.threads(),
          options.amount(3000, 16_000),
          item -> {
            articles.write(writer, item);
            return null;
          });
      // One segment: segments depend on the schedule, and replaced articles count in term statistics until merged away.
      writer.forceMerge(1);
    }
  }

  private static List<String> search(Options options, Articles articles, Analyzer analyzer, Directory directory)
      throws Exception {
    try (IndexReader reader = DirectoryReader.open(directory)) {
      Searches searches = new Searches(new IndexSearcher(reader), analyzer, articles);
      return Workers.map(options.threads(), options.amount(400, 2000), searches::run);
    }
  }
}
