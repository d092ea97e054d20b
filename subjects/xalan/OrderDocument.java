// SPDX-License-Identifier: Apache-2.0
package subjects.xalan;

import java.util.SplittableRandom;
import subjects.harness.Corpus;

/** Generates the XML input: orders with lines, grouped by customer in the report. */
final class OrderDocument {
  private static final int CUSTOMERS = 12;

  private final Corpus corpus;

  OrderDocument(Corpus corpus) {
    this.corpus = corpus;
  }

  String xml(int item, int orders) {
    SplittableRandom random = corpus.random(item);
    StringBuilder xml = new StringBuilder("<?xml version='1.0'?>\n<orders>\n");
    for (int i = 0; i < orders; i++) {
      appendOrder(xml, random, i);
    }
    return xml.append("</orders>\n").toString();
  }

  private void appendOrder(StringBuilder xml, SplittableRandom random, int id) {
    xml.append("<order id='").append(id);
    xml.append("' customer='c").append(random.nextInt(CUSTOMERS)).append("'>\n");
    for (int lines = 1 + random.nextInt(6); lines > 0; lines--) {
      xml.append("<line quantity='").append(1 + random.nextInt(20));
      xml.append("' price='").append(random.nextInt(1, 100_000) / 100.0).append("'>");
      xml.append(corpus.sentence(random, 4)).append("</line>\n");
    }
    xml.append("<note>").append(corpus.sentence(random, 15)).append(" &amp; more</note></order>\n");
  }
}
