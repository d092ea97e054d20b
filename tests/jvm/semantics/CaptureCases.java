// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.io.InputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.util.function.Function;
import java.util.function.IntSupplier;

/**
 * What lambdas and method references have captured is in final fields of a hidden class. They are handed over as in {@link FinalFieldCases}; a plain
 * lambda is there.
 */
final class CaptureCases {
  /** Makes something that answers an int. */
  abstract static class Answers extends FinalFieldCases.Publication {
    int look(Object found) { return ((IntSupplier) found).getAsInt(); }
  }

  static final class WideAndNarrow_norace extends Answers {
    static final class Inner { int n; }
    Object make() {
      Inner inner = new Inner();
      inner.n = 7;
      long wide = inner.n * 2L;
      int[] array = new int[hashCode() & 3 | 1];
      array[0] = 3;
      return (IntSupplier) () -> (int) wide + inner.n + array[0];
    }
  }

  @Case.Racy("n")
  static final class WrittenLater_race extends Answers {
    static final class Inner { int n; }
    Object make() {
      Inner inner = new Inner();
      IntSupplier lambda = () -> inner.n;
      inner.n = 7;
      return lambda;
    }
  }

  /** 17.5.1 speaks of reads. */
  @Case.Racy("n")
  static final class WrittenByReader_race extends Answers {
    static final class Inner { int n; }
    Object make() {
      Inner inner = new Inner();
      inner.n = 7;
      return (IntSupplier) () -> inner.n = 8;
    }
  }

  static final class This_norace extends Answers {
    static final class Inner {
      int n;
      IntSupplier answer() { return () -> this.n; }
    }
    Object make() { Inner inner = new Inner(); inner.n = 7; return inner.answer(); }
  }

  @Case.Racy("n")
  static final class ThisWrittenLater_race extends Answers {
    static final class Inner {
      int n;
      IntSupplier answer() { return () -> this.n; }
    }
    Object make() { Inner inner = new Inner(); IntSupplier answer = inner.answer(); inner.n = 7; return answer; }
  }

  static final class BoundReference_norace extends Answers {
    static final class Inner { int n; int get() { return n; } }
    Object make() { Inner inner = new Inner(); inner.n = 7; return (IntSupplier) inner::get; }
  }

  @Case.Racy("n")
  static final class BoundReferenceWrittenLater_race extends Answers {
    static final class Inner { int n; int get() { return n; } }
    Object make() {
      Inner inner = new Inner();
      IntSupplier reference = inner::get;
      inner.n = 7;
      return reference;
    }
  }

  /** Captures nothing, so nothing is frozen: what it is given races as ever. */
  @Case.Racy("n")
  static final class UnboundReference_race extends FinalFieldCases.Publication {
    static final class Inner { int n; int get() { return n; } }
    static final Function<Inner, Integer> GET = Inner::get;
    Object make() { Inner inner = new Inner(); inner.n = 7; return inner; }
    int look(Object found) { return GET.apply((Inner) found); }
  }

  static final class SerializableLambda_norace extends Answers {
    static final class Inner { int n; }
    Object make() {
      Inner inner = new Inner();
      inner.n = 7;
      return (IntSupplier & Serializable) () -> inner.n;
    }
  }

  static final class LambdaInLambda_norace extends Answers {
    static final class Inner { int n; }
    Object make() {
      Inner inner = new Inner();
      inner.n = 7;
      IntSupplier first = () -> inner.n;
      return (IntSupplier) () -> first.getAsInt() + 1;
    }
  }

  /** A lambda of the JDK's own, holding an object of the program. */
  static final class ComposedByJdk_norace extends FinalFieldCases.Publication {
    static final class Inner implements Function<Integer, Integer> {
      int n;
      public Integer apply(Integer with) { return n + with; }
    }
    Object make() { Inner inner = new Inner(); inner.n = 7; return inner.andThen(Function.identity()); }
    @SuppressWarnings("unchecked")
    int look(Object found) { return ((Function<Integer, Integer>) found).apply(1); }
  }

  @Case.Racy("n")
  static final class ComposedByJdkWrittenLater_race extends FinalFieldCases.Publication {
    static final class Inner implements Function<Integer, Integer> {
      int n;
      public Integer apply(Integer with) { return n + with; }
    }
    Object make() {
      Inner inner = new Inner();
      Function<Integer, Integer> composed = inner.andThen(Function.identity());
      inner.n = 7;
      return composed;
    }
    @SuppressWarnings("unchecked")
    int look(Object found) { return ((Function<Integer, Integer>) found).apply(1); }
  }

  /** Two threads that run one lambda, which somebody handed them in order, share what it captured. */
  @Case.Racy("n")
  static final class SharedLambda_race extends Case.Pair {
    static final class Inner { int n; }
    private final Inner inner = new Inner();
    private final Runnable action = bump(inner);
    private static Runnable bump(Inner of) { return () -> of.n++; }
    void a() { action.run(); }
    void b() { action.run(); }
  }

  /** The code of a hidden class is not watched, but what it calls is. */
  static final class DefinedHidden_norace extends Answers {
    static final class Inner { int n; int get() { return n; } }
    static final class Template implements IntSupplier {
      final Inner inner;
      Template(Inner inner) { this.inner = inner; }
      public int getAsInt() { return inner.get(); }
    }
    static final Class<?> HIDDEN = defineHidden(MethodHandles.lookup(), Template.class);
    Object make() { Inner inner = new Inner(); inner.n = 7; return construct(HIDDEN, Inner.class, inner); }
  }

  @Case.Racy("n")
  static final class DefinedHiddenWrittenLater_race extends Answers {
    static final class Inner { int n; int get() { return n; } }
    static final class Template implements IntSupplier {
      final Inner inner;
      Template(Inner inner) { this.inner = inner; }
      public int getAsInt() { return inner.get(); }
    }
    static final Class<?> HIDDEN = defineHidden(MethodHandles.lookup(), Template.class);
    Object make() { Inner inner = new Inner(); Object made = construct(HIDDEN, Inner.class, inner); inner.n = 7; return made; }
  }

  private static Class<?> defineHidden(MethodHandles.Lookup lookup, Class<?> template) {
    String file = template.getName().substring(template.getPackageName().length() + 1) + ".class";
    try (InputStream in = template.getResourceAsStream(file)) {
      return lookup.defineHiddenClass(in.readAllBytes(), true).lookupClass();
    } catch (java.io.IOException | IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static Object construct(Class<?> type, Class<?> parameter, Object argument) {
    try {
      return type.getDeclaredConstructor(parameter).newInstance(argument);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
