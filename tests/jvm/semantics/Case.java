// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * One program of the battery. Its name ends in {@code _race} or {@code _norace}; a racy one says in {@link Racy} on which variables.
 * A case has its own fields and its own code, because a race is told apart by its variable and its two sites.
 */
abstract class Case {
  static final int A = Order.A;
  static final int B = Order.B;

  void setup() throws Exception {}

  void cleanup() throws Exception {}

  /**
   * The variables the race may be on: {@code x} a field of the case or of a class inside it, {@code []} an array element accessed by
   * its code, {@code java.util.X} the fields and arrays of that JDK class and the classes whose names go on from there.
   */
  @Retention(RetentionPolicy.RUNTIME)
  @interface Racy {
    String[] value();
  }

  /** Gets a JVM of its own, with these options; whatever is reported there is its race. */
  @Retention(RetentionPolicy.RUNTIME)
  @interface Alone {
    String[] value() default {};
  }

  /**
   * Nothing of it runs before its threads do. All others run first on another instance in the main thread, so that class loading and
   * linking, which synchronise, are done with when it counts.
   */
  @Retention(RetentionPolicy.RUNTIME)
  @interface Cold {}

  /** Two threads, one action each: the second begins when the first has ended. */
  abstract static class Pair extends Case {
    Thread threadA;
    Thread threadB;

    abstract void a() throws Exception;

    abstract void b() throws Exception;
  }

  /** As {@link Pair}, but the second begins also when the first blocks. Unless {@link Cold}, {@code a(); b();} must also work in one thread. */
  abstract static class Handoff extends Pair {}

  /** Starts its own threads; {@link Order} says who goes first. */
  abstract static class Solo extends Case {
    abstract void run() throws Exception;
  }
}
