// SPDX-License-Identifier: Apache-2.0
package subjects.groovy;

import groovy.lang.Binding;
import groovy.lang.GroovyShell;
import groovy.lang.Script;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.codehaus.groovy.runtime.InvokerHelper;
import subjects.harness.Corpus;
import subjects.harness.Digest;
import subjects.harness.Driver;
import subjects.harness.Options;
import subjects.harness.Subject;
import subjects.harness.Workers;

/** Every item runs a script class that all threads share, and compiles a small script of its own. */
public final class GroovySubject implements Subject {
  private static final int WORDS = 300;

  public static void main(String[] args) {
    Driver.run(new GroovySubject(), args);
  }

  @Override
  public String name() {
    return "groovy";
  }

  @Override
  public void run(Options options, Digest result) throws Exception {
    Class<? extends Script> report = compile();
    Corpus corpus = new Corpus(options.seed());
    result.add(
        Workers.map(
            options.threads(),
            options.amount(60, 700),
            item -> {
              Binding binding = new Binding();
              binding.setVariable("text", corpus.sentence(corpus.random(item), WORDS));
              binding.setVariable("item", item);
              Object words = InvokerHelper.createScript(report, binding).run();
              return words + " " + new GroovyShell(binding).evaluate(formula(item));
            }));
  }

  private static Class<? extends Script> compile() throws Exception {
    try (InputStream in = GroovySubject.class.getResourceAsStream("report.groovy")) {
      String source = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new GroovyShell().parse(source, "Report.groovy").getClass();
    }
  }

  private static String formula(int item) {
    return "def square = { it * it }; (1.." + (item % 9 + 2) + ").collect(square).sum() + item * " + item;
  }
}
