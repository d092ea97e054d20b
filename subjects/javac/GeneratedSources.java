// SPDX-License-Identifier: Apache-2.0
package subjects.javac;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import subjects.harness.Corpus;

/** Makes up packages of classes that use each other: generics, lambdas, records, enums, inner classes, switches. */
final class GeneratedSources {
  private static final int METHODS = 8;
  private static final String CLASS =
      """
      package %1$s;
      import java.util.*;
      import java.util.function.*;
      public class C%2$d<T extends Comparable<T>> implements Function<T, List<T>> {
        enum Mode { FAST, SAFE, NONE }
        record Entry<K, V>(K key, V value) {}
        private final Map<String, List<T>> index = new TreeMap<>();
        private Mode mode = Mode.NONE;
        @Override public List<T> apply(T t) {
          return index.computeIfAbsent(t.toString(), k -> new ArrayList<>());
        }
        class Cursor implements Iterator<T> {
          private final Iterator<List<T>> outer = index.values().iterator();
          private Iterator<T> inner = Collections.emptyIterator();
          @Override public boolean hasNext() {
            while (!inner.hasNext() && outer.hasNext()) { inner = outer.next().iterator(); }
            return inner.hasNext();
          }
          @Override public T next() { return inner.next(); }
        }
      """;
  private static final String METHOD =
      """
        /** %1$s. */
        public <R> Map<R, Long> %2$s%3$d(Collection<? extends T> items, Function<? super T, ? extends R> f, int n) {
          long total = %4$dL;
          for (T item : items) {
            try {
              total += switch (mode) {
                case FAST -> n * item.hashCode();
                case SAFE -> { int s = 0; for (int i = 0; i < n; i++) { s ^= i * %4$d; } yield s; }
                default -> "%1$s".indexOf(item.toString());
              };
            } catch (RuntimeException e) {
              mode = total > n ? Mode.SAFE : Mode.values()[n %% 3];
            } finally {
              total--;
            }
          }
          C%5$d<String> other = new C%5$d<>();
          other.apply("%2$s" + total);
          Map<R, Long> counts = new LinkedHashMap<>();
          items.forEach(t -> {
            Entry<R, Long> entry = new Entry<>(f.apply(t), (long) n);
            counts.merge(entry.key(), entry.value(), Long::sum);
          });
          return counts;
        }
      """;

  private final Corpus corpus;

  GeneratedSources(Corpus corpus) {
    this.corpus = corpus;
  }

  Unit unit(Path directory, int number, int classes) throws IOException {
    String packageName = "generated" + number;
    SplittableRandom random = corpus.random(number);
    Path folder = Files.createDirectories(directory.resolve(packageName));
    List<Path> sources = new ArrayList<>();
    for (int i = 0; i < classes; i++) {
      Path file = folder.resolve("C" + i + ".java");
      Files.writeString(file, source(packageName, i, classes, random));
      sources.add(file);
    }
    return new Unit(packageName, sources, List.of());
  }

  private String source(String packageName, int number, int classes, SplittableRandom random) {
    StringBuilder source = new StringBuilder(String.format(CLASS, packageName, number));
    for (int i = 0; i < METHODS; i++) {
      source.append(String.format(METHOD, corpus.sentence(random, 5), corpus.word(random), i, random.nextInt(1000),
          random.nextInt(classes)));
    }
    return source.append("}\n").toString();
  }
}
