// SPDX-License-Identifier: Apache-2.0
package history;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists that race at the same lines of the JDK, each with a place of the program that uses it, one with two.
 */
public final class Callers {
  static final List<String> orders = new ArrayList<>(), users = new ArrayList<>();
  static final List<List<String>> given = List.of(new ArrayList<>(), new ArrayList<>());
  static final int ORDERS = 10, USERS = 12, AGAIN = 14, GIVEN = 18, GIVEN_AGAIN = 20;

  static void order() {
    orders.add("order");
  }

  static void user() {
    users.add("user");
  }

  static void orderElsewhere() {
    orders.add("another order");
  }

  /** One place, whichever list it is. */
  static void give(int which) {
    given.get(which).add("gift");
  }

  static void race(int pair, Runnable body) {
    Thread second = new Thread(Origins.second(pair, body));
    second.start();
    Origins.first(pair, body);
    Origins.join(second);
  }

  public static void main(String[] arguments) {
    race(ORDERS, Callers::order);
    race(USERS, Callers::user);
    race(AGAIN, Callers::orderElsewhere);
    race(GIVEN, () -> give(0));
    race(GIVEN_AGAIN, () -> give(1));
  }
}
