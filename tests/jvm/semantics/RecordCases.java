// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.ArrayList;
import java.util.List;

/**
 * The methods that every record has read its final components in code of {@code java.lang.runtime.ObjectMethods}. Handed over as in
 * {@link FinalFieldCases}; the accessors are there.
 */
final class RecordCases {
  static final class HashCode_norace extends FinalFieldCases.Publication {
    static final class Inner { int n; @Override public int hashCode() { return n; } }
    record Box(int first, Inner inner) { }
    Object make() { Inner inner = new Inner(); inner.n = 7; return new Box(1, inner); }
    int look(Object found) { return found.hashCode(); }
  }

  @Case.Racy("n")
  static final class HashCodeWrittenLater_race extends FinalFieldCases.Publication {
    static final class Inner { int n; @Override public int hashCode() { return n; } }
    record Box(int first, Inner inner) { }
    Object make() { Inner inner = new Inner(); Box box = new Box(1, inner); inner.n = 7; return box; }
    int look(Object found) { return found.hashCode(); }
  }

  static final class ToString_norace extends FinalFieldCases.Publication {
    static final class Inner { int n; @Override public String toString() { return n == 7 ? "seven" : "?"; } }
    record Box(double first, Inner inner) { }
    Object make() { Inner inner = new Inner(); inner.n = 7; return new Box(1, inner); }
    int look(Object found) { return found.toString().length(); }
  }

  @Case.Racy("n")
  static final class ToStringWrittenLater_race extends FinalFieldCases.Publication {
    static final class Inner { int n; @Override public String toString() { return n == 7 ? "seven" : "?"; } }
    record Box(double first, Inner inner) { }
    Object make() { Inner inner = new Inner(); Box box = new Box(1, inner); inner.n = 7; return box; }
    int look(Object found) { return found.toString().length(); }
  }

  static final class Equals_norace extends FinalFieldCases.Publication {
    static final class Inner { int n; @Override public boolean equals(Object o) { return ((Inner) o).n == n; } }
    record Box(Inner inner, long last) { }
    Object make() { Inner inner = new Inner(); inner.n = 7; return new Box(inner, 1); }
    int look(Object found) { return found.equals(new Box(new Inner(), 1)) ? 1 : 0; }
  }

  @Case.Racy("n")
  static final class EqualsWrittenLater_race extends FinalFieldCases.Publication {
    static final class Inner { int n; @Override public boolean equals(Object o) { return ((Inner) o).n == n; } }
    record Box(Inner inner, long last) { }
    Object make() { Inner inner = new Inner(); Box box = new Box(inner, 1); inner.n = 7; return box; }
    int look(Object found) { return found.equals(new Box(new Inner(), 1)) ? 1 : 0; }
  }

  /** The record that came without synchronisation is the one that another is compared with. */
  static final class EqualsArgument_norace extends FinalFieldCases.Publication {
    static final class Inner { int n; @Override public boolean equals(Object o) { return ((Inner) o).n == n; } }
    record Box(Inner inner, long last) { }
    Object make() { Inner inner = new Inner(); inner.n = 7; return new Box(inner, 1); }
    int look(Object found) { return new Box(new Inner(), 1).equals(found) ? 1 : 0; }
  }

  @Case.Racy("n")
  static final class EqualsArgumentWrittenLater_race extends FinalFieldCases.Publication {
    static final class Inner { int n; @Override public boolean equals(Object o) { return ((Inner) o).n == n; } }
    record Box(Inner inner, long last) { }
    Object make() { Inner inner = new Inner(); Box box = new Box(inner, 1); inner.n = 7; return box; }
    int look(Object found) { return new Box(new Inner(), 1).equals(found) ? 1 : 0; }
  }

  /** Null and records of other classes are no argument to read from. */
  static final class EqualsOthers_norace extends FinalFieldCases.Publication {
    record Box(List<String> list) { }
    record Other(List<String> list) { }
    Object make() { return new Box(new ArrayList<>(List.of("a"))); }
    int look(Object found) { return found.equals(null) || found.equals(new Other(List.of("a"))) || !found.equals(found) ? 1 : 0; }
  }

  /** A generic record, with a list that is compared element by element. */
  static final class RecordOfList_norace extends FinalFieldCases.Publication {
    record Box<T>(List<T> list) { }
    Object make() { List<String> list = new ArrayList<>(); list.add("a"); return new Box<>(list); }
    int look(Object found) { return found.hashCode() + found.toString().length() + (found.equals(new Box<>(List.of("a"))) ? 1 : 0); }
  }
}
