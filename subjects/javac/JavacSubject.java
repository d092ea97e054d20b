// SPDX-License-Identifier: Apache-2.0
package subjects.javac;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import subjects.harness.Corpus;
import subjects.harness.Digest;
import subjects.harness.Driver;
import subjects.harness.Options;
import subjects.harness.ScratchDirectory;
import subjects.harness.Subject;
import subjects.harness.Workers;

/**
 * Compiles packages in-process, several at a time: packages of the JDK's own sources where its src.zip is installed
 * (openjdk-17-source), and generated ones. The result depends on the JDK, as its sources and its compiler do.
 */
public final class JavacSubject implements Subject {
  private static final int CLASSES_PER_UNIT = 5;

  public static void main(String[] args) {
    Driver.run(new JavacSubject(), args);
  }

  @Override
  public String name() {
    return "javac";
  }

  @Override
  public void run(Options options, Digest result) throws Exception {
    try (ScratchDirectory scratch = new ScratchDirectory("javac")) {
      List<Unit> units = units(options, scratch.path());
      UnitCompiler compiler = new UnitCompiler();
      result.add(Workers.map(options.threads(), units.size(), item -> compiler.compile(units.get(item))));
    }
  }

  private static List<Unit> units(Options options, Path directory) throws Exception {
    List<Unit> units = new ArrayList<>(JdkSources.units(directory, options.amount(1, JdkSources.MAX_PACKAGES)));
    GeneratedSources generated = new GeneratedSources(new Corpus(options.seed()));
    int count = units.isEmpty() ? options.amount(4, 32) : options.amount(3, 6);
    for (int i = 0; i < count; i++) {
      units.add(generated.unit(directory, i, CLASSES_PER_UNIT));
    }
    return units;
  }
}
