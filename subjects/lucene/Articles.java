// SPDX-License-Identifier: Apache-2.0
package subjects.lucene;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import subjects.harness.Corpus;

/** Makes the documents. An article's key is its item number, the only thing that identifies it across runs. */
final class Articles {
  static final String KEY = "key";
  static final String YEAR = "year";
  static final String TITLE = "title";
  static final String BODY = "body";

  private static final int REPLACED_EVERY = 10;
  private static final int BODY_WORDS = 80;

  private final Corpus corpus;

  Articles(Corpus corpus) {
    this.corpus = corpus;
  }

  Corpus corpus() {
    return corpus;
  }

  /** Adds article {@code item}; some are replaced by a second edition at once. */
  void write(IndexWriter writer, int item) throws IOException {
    SplittableRandom random = corpus.random(item);
    writer.addDocument(article(item, random));
    if (item % REPLACED_EVERY == 0) {
      writer.updateDocument(new Term("id", id(item)), article(item, random));
    }
  }

  private Document article(int item, SplittableRandom random) {
    Document document = new Document();
    document.add(new StringField("id", id(item), Store.YES));
    document.add(new NumericDocValuesField(KEY, item));
    document.add(new IntField(YEAR, 1900 + random.nextInt(120), Store.YES));
    document.add(new TextField(TITLE, corpus.sentence(random, 5), Store.YES));
    document.add(new TextField(BODY, corpus.sentence(random, BODY_WORDS), Store.NO));
    return document;
  }

  private static String id(int item) {
    return "a" + item;
  }
}
