// SPDX-License-Identifier: Apache-2.0
package subjects.tomcat;

import subjects.harness.Corpus;
import subjects.harness.Digest;
import subjects.harness.Driver;
import subjects.harness.Options;
import subjects.harness.Subject;
import subjects.harness.Workers;

/** An embedded server on a free loopback port, with client threads that each play visitors with a session. */
public final class TomcatSubject implements Subject {
  private static final int REQUESTS_PER_VISITOR = 12;

  public static void main(String[] args) {
    Driver.run(new TomcatSubject(), args);
  }

  @Override
  public String name() {
    return "tomcat";
  }

  @Override
  public void run(Options options, Digest result) throws Exception {
    Corpus corpus = new Corpus(options.seed());
    ShopServlet shop = new ShopServlet();
    int visitors = options.amount(120, 1800);
    try (ShopServer server = new ShopServer(shop)) {
      result.add(
          Workers.map(
              options.threads(),
              visitors,
              item -> new Visitor(server.url(), corpus, item).visit(REQUESTS_PER_VISITOR)));
    }
    result.add(shop.served()).add(shop.sold());
  }
}
