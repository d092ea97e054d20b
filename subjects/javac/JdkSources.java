// SPDX-License-Identifier: Apache-2.0
package subjects.javac;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Packages of java.base from the running JDK's src.zip, each compiled as a patch of the JDK's own module. */
final class JdkSources {
  private static final String MODULE = "java.base";

  private static final List<String> PACKAGES =
      List.of("java/util/regex", "java/time/format", "java/util/concurrent");

  static final int MAX_PACKAGES = PACKAGES.size();

  private JdkSources() {}

  /** The first {@code count} packages, unpacked below {@code directory}; none if the sources are not installed. */
  static List<Unit> units(Path directory, int count) throws IOException {
    Path zipPath = Path.of(System.getProperty("subjects.javac.src", System.getProperty("java.home") + "/lib/src.zip"));
    if (!Files.exists(zipPath)) {
      System.err.println("javac: no " + zipPath + ", generated sources only (Debian: openjdk-17-source)");
      return List.of();
    }
    List<Unit> units = new ArrayList<>();
    try (ZipFile zip = new ZipFile(zipPath.toFile())) {
      for (String name : PACKAGES.subList(0, count)) {
        units.add(unpack(zip, name, directory.resolve(name.replace('/', '.'))));
      }
    }
    return units;
  }

  private static Unit unpack(ZipFile zip, String packageName, Path root) throws IOException {
    String prefix = MODULE + "/" + packageName + "/";
    Path folder = Files.createDirectories(root.resolve(packageName));
    List<Path> sources = new ArrayList<>();
    for (ZipEntry entry : zip.stream().sorted(Comparator.comparing(ZipEntry::getName)).toList()) {
      String file = entry.getName().startsWith(prefix) ? entry.getName().substring(prefix.length()) : "";
      if (!file.endsWith(".java") || file.contains("/") || file.equals("package-info.java")) {
        continue;
      }
      try (InputStream in = zip.getInputStream(entry)) {
        Files.copy(in, folder.resolve(file));
      }
      sources.add(folder.resolve(file));
    }
    return new Unit(packageName, sources, List.of("--patch-module", MODULE + "=" + root));
  }
}
