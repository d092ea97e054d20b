// SPDX-License-Identifier: Apache-2.0
package subjects.lucene;

import java.util.SplittableRandom;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.NumericRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopFieldDocs;
import subjects.harness.Digest;

/** Runs queries on a searcher that all threads share. Hits are ordered by key, as document numbers depend on the schedule. */
final class Searches {
  private static final int HITS = 20;
  private static final Sort BY_KEY = new Sort(new SortField(Articles.KEY, SortField.Type.INT));

  private final IndexSearcher searcher;
  private final Analyzer analyzer;
  private final Articles articles;

  Searches(IndexSearcher searcher, Analyzer analyzer, Articles articles) {
    this.searcher = searcher;
    this.analyzer = analyzer;
    this.articles = articles;
  }

  String run(int item) throws Exception {
    Query query = query(item);
    TopFieldDocs hits = searcher.search(query, null, HITS, BY_KEY);
    Digest digest = new Digest().add(query.toString()).add(hits.totalHits);
    for (ScoreDoc hit : hits.scoreDocs) {
      digest.add(searcher.doc(hit.doc).get("id")).add(searcher.doc(hit.doc).get(Articles.TITLE));
    }
    return digest.hex();
  }

  private Query query(int item) throws Exception {
    SplittableRandom random = articles.corpus().random(-2 - item);
    String a = articles.corpus().word(random);
    String b = articles.corpus().word(random);
    String text =
        switch (item % 5) {
          case 0 -> a;
          case 1 -> a + " AND " + b;
          case 2 -> "title:" + a + " OR body:\"" + a + " " + b + "\"~8";
          case 3 -> a.charAt(0) + "*" + a.charAt(a.length() - 1) + " -" + b;
          default -> a + "~1 " + b;
        };
    BooleanQuery query = new BooleanQuery();
    query.add(new QueryParser(Articles.BODY, analyzer).parse(text), Occur.MUST);
    query.add(NumericRangeQuery.newIntRange(Articles.YEAR, 1900, 1900 + random.nextInt(120), true, true), Occur.MUST);
    return query;
  }
}
