// SPDX-License-Identifier: Apache-2.0
package subjects.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary directory, deleted with all its contents when closed. */
public final class ScratchDirectory implements AutoCloseable {
  private final Path path;

  public ScratchDirectory(String subject) throws IOException {
    path = Files.createTempDirectory(subject + "-subject");
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
