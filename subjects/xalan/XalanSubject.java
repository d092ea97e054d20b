// SPDX-License-Identifier: Apache-2.0
package subjects.xalan;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.StringReader;
import javax.xml.transform.Templates;
import javax.xml.transform.Transformer;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.xalan.processor.TransformerFactoryImpl;
import subjects.harness.Corpus;
import subjects.harness.Digest;
import subjects.harness.Driver;
import subjects.harness.Options;
import subjects.harness.Subject;
import subjects.harness.Workers;

/** Transforms generated order lists with one compiled stylesheet that all threads share. */
public final class XalanSubject implements Subject {
  private static final int ORDERS_PER_DOCUMENT = 60;

  public static void main(String[] args) {
    Driver.run(new XalanSubject(), args);
  }

  @Override
  public String name() {
    return "xalan";
  }

  @Override
  public void run(Options options, Digest result) throws Exception {
    Templates stylesheet = compileStylesheet();
    OrderDocument documents = new OrderDocument(new Corpus(options.seed()));
    result.add(
        Workers.map(
            options.threads(),
            options.amount(60, 600),
            item -> transform(stylesheet, documents.xml(item, ORDERS_PER_DOCUMENT))));
  }

  private static Templates compileStylesheet() throws Exception {
    try (InputStream in = XalanSubject.class.getResourceAsStream("report.xsl")) {
      return new TransformerFactoryImpl().newTemplates(new StreamSource(in));
    }
  }

  private static String transform(Templates stylesheet, String xml) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Transformer transformer = stylesheet.newTransformer();
    transformer.setParameter("currency", "EUR");
    transformer.transform(new StreamSource(new StringReader(xml)), new StreamResult(out));
    return Digest.of(out.toByteArray());
  }
}
