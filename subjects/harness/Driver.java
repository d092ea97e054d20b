// SPDX-License-Identifier: Apache-2.0
package subjects.harness;

import java.util.Locale;
import java.util.TimeZone;

/** The main program shared by all subjects: result on stdout, timing on stderr, exit status 0, 1 or 2. */
public final class Driver {
  private static final int EXIT_FAILED = 1;
  private static final int EXIT_USAGE = 2;

  private Driver() {}

  public static void run(Subject subject, String[] args) {
    Options options;
    try {
      options = Options.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println(subject.name() + ": " + e.getMessage());
      System.exit(EXIT_USAGE);
      return;
    }
    makeEnvironmentNeutral();
    long start = System.nanoTime();
    Digest result = new Digest();
    try {
      subject.run(options, result);
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(EXIT_FAILED);
    }
    System.out.println("RESULT " + subject.name() + " " + result.hex());
    System.err.printf("TIME %s %d ms%n", subject.name(), (System.nanoTime() - start) / 1_000_000);
  }

  /** Formatting must not follow the machine's locale and time zone. */
  private static void makeEnvironmentNeutral() {
    Locale.setDefault(Locale.ROOT);
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
  }
}
