// SPDX-License-Identifier: Apache-2.0
package subjects.javac;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles a unit into memory. Used by all threads; every call has its own file manager and task. */
final class UnitCompiler {
  private static final List<String> OPTIONS = List.of("-g", "-nowarn", "-Xlint:none", "-proc:none", "-implicit:none");

  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

  /** Returns a hash of all class files. */
  String compile(Unit unit) throws IOException {
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    List<String> options = new ArrayList<>(OPTIONS);
    options.addAll(unit.options());
    try (StandardJavaFileManager files =
            compiler.getStandardFileManager(diagnostics, Locale.ROOT, StandardCharsets.UTF_8);
        ClassFiles output = new ClassFiles(files)) {
      boolean done =
          compiler
              .getTask(null, output, diagnostics, options, null, files.getJavaFileObjectsFromPaths(unit.sources()))
              .call();
      if (!done) {
        throw new IOException(unit.name() + " does not compile: " + firstError(diagnostics));
      }
      return unit.name() + " " + output.hash();
    }
  }

  private static String firstError(DiagnosticCollector<JavaFileObject> diagnostics) {
    return diagnostics.getDiagnostics().stream()
        .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
        .map(Object::toString)
        .findFirst()
        .orElse("no error reported");
  }
}
