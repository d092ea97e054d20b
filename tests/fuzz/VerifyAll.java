// SPDX-License-Identifier: Apache-2.0
//
// java VerifyAll modules DIR | jars DIR: links, and so verifies, every class below DIR without initialising any.
// DIR holds one folder a module (patched into this JVM by --patch-module) or one a jar (loaded by a loader of its own, all
// folders on its path). Class.getDeclaredFields links its class in HotSpot; canary/ below DIR, if there, holds a broken
// class that must fail, which proves that classes are really verified. Exit code 1 if a class is rejected.
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

public class VerifyAll {
  private static int verified;
  private static int incomplete;
  private static int rejected;

  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[1]);
    List<Path> folders;
    try (Stream<Path> list = Files.list(root)) {
      folders = list.filter(Files::isDirectory).sorted().toList();
    }
    for (Path folder : folders) {
      ClassLoader loader = args[0].equals("jars") ? loaderOf(folder, folders) : ClassLoader.getSystemClassLoader();
      for (String name : classesIn(folder)) verify(name, loader, folder);
    }
    System.out.printf("%d verified, %d incomplete (a class they need is not there), %d rejected%n", verified, incomplete,
        rejected);
    System.exit(rejected == 0 && verified > 0 ? 0 : 1);
  }

  private static ClassLoader loaderOf(Path own, List<Path> all) throws IOException {
    List<URL> path = new ArrayList<>();
    path.add(own.toUri().toURL());
    for (Path folder : all) path.add(folder.toUri().toURL());
    return new URLClassLoader(path.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  private static List<String> classesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(file -> folder.relativize(file).toString())
          .filter(file -> file.endsWith(".class") && !file.endsWith("module-info.class") && !file.startsWith("META-INF"))
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .sorted().toList();
    }
  }

  private static void verify(String name, ClassLoader loader, Path folder) {
    try {
      Class.forName(name, false, loader).getDeclaredFields();
      verified++;
    } catch (ClassNotFoundException | NoClassDefFoundError | IncompatibleClassChangeError missing) {
      incomplete++;
    } catch (VerifyError | ClassFormatError bad) {
      rejected++;
      if (rejected <= 20) System.out.println(folder.getFileName() + " " + name + ": " + bad);
    } catch (Throwable other) {
      incomplete++;
      System.out.println(folder.getFileName() + " " + name + ": " + other);
    }
  }
}
