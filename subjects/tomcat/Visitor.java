// SPDX-License-Identifier: Apache-2.0
package subjects.tomcat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import subjects.harness.Corpus;
import subjects.harness.Digest;

/** One client with one session: fills the basket, looks at it now and then, and hashes every response. */
final class Visitor {
  private static final int LOOK_EVERY = 4;
  private static final int OK = 200;

  private final URI page;
  private final Corpus corpus;
  private final SplittableRandom random;
  private final Digest digest = new Digest();
  private String cookie;

  Visitor(URI server, Corpus corpus, int item) {
    this.page = server.resolve("visitor" + item);
    this.corpus = corpus;
    this.random = corpus.random(item);
  }

  String visit(int requests) throws IOException {
    for (int i = 1; i <= requests; i++) {
      HttpURLConnection connection = (HttpURLConnection) page.toURL().openConnection();
      if (cookie != null) {
        connection.setRequestProperty("Cookie", cookie);
      }
      if (i % LOOK_EVERY != 0) {
        post(connection, form());
      }
      receive(connection);
    }
    return digest.hex();
  }

  private String form() {
    String article = corpus.sentence(random, 3) + " & \u00e9clair";
    return "quantity=" + random.nextInt(1, 10) + "&article=" + URLEncoder.encode(article, StandardCharsets.UTF_8);
  }

  private static void post(HttpURLConnection connection, String form) throws IOException {
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
    try (OutputStream out = connection.getOutputStream()) {
      out.write(form.getBytes(StandardCharsets.UTF_8));
    }
  }

  private void receive(HttpURLConnection connection) throws IOException {
    if (connection.getResponseCode() != OK) {
      throw new IOException(page + ": status " + connection.getResponseCode());
    }
    if (cookie == null) {
      cookie = connection.getHeaderField("Set-Cookie").replaceFirst(";.*", "");
    }
    digest.add(String.valueOf(connection.getHeaderField("X-Items")));
    try (InputStream in = connection.getInputStream()) {
      digest.add(in.readAllBytes());
    }
  }
}
