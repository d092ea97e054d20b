// SPDX-License-Identifier: Apache-2.0
package subjects.clojure;

import clojure.java.api.Clojure;
import clojure.lang.IFn;
import clojure.lang.RT;
import subjects.harness.Digest;
import subjects.harness.Driver;
import subjects.harness.Options;
import subjects.harness.Subject;
import subjects.harness.Workers;

/** Loads a namespace, then lets all threads compile and call code in it; they meet in refs, atoms and agents. */
public final class ClojureSubject implements Subject {
  private static final String NAMESPACE = "subjects.clojure.work";

  public static void main(String[] args) {
    Driver.run(new ClojureSubject(), args);
  }

  @Override
  public String name() {
    return "clojure";
  }

  @Override
  public void run(Options options, Digest result) throws Exception {
    RT.loadResourceScript("subjects/clojure/work.clj");
    IFn item = Clojure.var(NAMESPACE, "item");
    result.add(
        Workers.map(
            options.threads(),
            options.amount(40, 500),
            number -> (String) item.invoke(options.seed(), (long) number)));
    result.add((String) Clojure.var(NAMESPACE, "totals").invoke());
    Clojure.var("clojure.core", "shutdown-agents").invoke();
  }
}
