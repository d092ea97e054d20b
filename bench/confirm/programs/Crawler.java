// SPDX-License-Identifier: Apache-2.0
package programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/** In the manner of hedc and weblech: threads fetch pages (files) and follow their links; one of them is told to stop in between. */
public final class Crawler {
  private static final int PAGES = 30;
  private final Path site;
  private final Queue<Integer> open = new ArrayDeque<>();
  private final Set<Integer> seen = new HashSet<>();
  private int busy;
  int fetched;
  StringBuilder report = new StringBuilder();

  private Crawler(Path site) {
    this.site = site;
    open.add(0);
    seen.add(0);
  }

  private synchronized int take() throws InterruptedException {
    while (open.isEmpty() && busy > 0) wait();
    if (open.isEmpty()) return -1;
    busy++;
    return open.remove();
  }

  private synchronized void done(String[] links) {
    for (String link : links) {
      if (seen.add(Integer.valueOf(link))) open.add(Integer.valueOf(link));
    }
    busy--;
    notifyAll();
  }

  private void crawl() throws InterruptedException, IOException {
    for (int page = take(); page >= 0; page = take()) {
      String text = Files.readString(site.resolve(page + ".html"));
      fetched++;
      done(text.isBlank() ? new String[0] : text.trim().split(" "));
    }
    if (report != null) {
      report.append(fetched);  // a place of its own: a race is known by its lines
    }
  }

  /** After a while nobody wants the report any more, whoever writes to it. */
  private void cancel() throws InterruptedException {
    Thread.sleep(200);
    report = null;
  }

  private static Path makeSite() throws IOException {
    Path site = Files.createTempDirectory("crawler");
    for (int i = 0; i < PAGES; i++) {
      StringBuilder links = new StringBuilder();
      for (int child = 2 * i + 1; child <= 2 * i + 2 && child < PAGES; child++) links.append(child).append(' ');
      Files.writeString(site.resolve(i + ".html"), links);
    }
    return site;
  }

  public static void main(String[] arguments) throws Exception {
    Path site = makeSite();
    Crawler crawler = new Crawler(site);
    try {
      Threads.runAll(crawler::crawl, crawler::crawl, crawler::cancel);
    } finally {
      for (int i = 0; i < PAGES; i++) Files.deleteIfExists(site.resolve(i + ".html"));
      Files.deleteIfExists(site);
    }
  }
}
