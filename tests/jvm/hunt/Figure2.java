// SPDX-License-Identifier: Apache-2.0
package hunt;

/**
 * Figure 2 of "Effective and Precise Dynamic Detection of Hidden Races for Java Programs" (Cai and Cao, FSE 2015): three threads, seven
 * locks of seven types, methods f1 to f8. The first thread is through before the others come, so the lock edges e1 → e9 (on k) and
 * e3 → e6 (on n) hide the races on x and y in every plain run.
 *
 * <p>{@code Figure2 [inside] [FIRST OTHERS]}: with {@code inside} both critical sections of k, and of n, write the same variable, so that
 * what they protect conflicts. The numbers are the milliseconds of work before e1, and before the other threads' locks.
 */
public final class Figure2 {
  static final class K { int inside; }
  static final class N { int inside; }
  static final class O1 {}
  static final class O2 {}
  static final class O3 {}
  static final class O4 {}
  static final class O5 {}

  private final K k = new K();
  private final N n = new N();
  private final O1 o1 = new O1();
  private final O2 o2 = new O2();
  private final O3 o3 = new O3();
  private final O4 o4 = new O4();
  private final O5 o5 = new O5();
  private final boolean inside;
  private final int first, others;
  private int x, y;

  private Figure2(boolean inside, int first, int others) {
    this.inside = inside;
    this.first = first;
    this.others = others;
  }

  private void passK() {
    synchronized (k) {
      if (inside) k.inside++;
    }
  }

  private void passN() {
    synchronized (n) {
      if (inside) n.inside++;
    }
  }

  private void pass(Object lock) {
    synchronized (lock) {
      // Nothing: a spin hint here would be a yield to a controlled scheduler, and order the threads by how many locks they pass.
    }
  }

  private void f1() {
    Work.milliseconds(first);
    x = 1;  // m1
    passK();  // e1
    f2();
  }

  private void f2() {
    pass(o1);  // e2
    y = 1;  // m2
    passN();  // e3
  }

  private void f3() {
    Work.milliseconds(others);
    f4();
  }

  private void f4() {
    pass(o2);  // e4
    pass(o3);  // e5
    f5();
  }

  private void f5() {
    passN();  // e6
    y++;  // m3
  }

  private void f6() {
    Work.milliseconds(others);
    f7();
  }

  private void f7() {
    pass(o4);  // e7
    pass(o5);  // e8
    f8();
  }

  private void f8() {
    passK();  // e9
    x++;  // m4
  }

  public static void main(String[] arguments) throws InterruptedException {
    boolean inside = arguments.length > 0 && arguments[0].equals("inside");
    int at = inside ? 1 : 0;
    boolean given = arguments.length > at + 1;
    Figure2 figure = new Figure2(inside, given ? Integer.parseInt(arguments[at]) : 5, given ? Integer.parseInt(arguments[at + 1]) : 120);
    Thread[] threads = {new Thread(figure::f3, "t2"), new Thread(figure::f6, "t3"), new Thread(figure::f1, "t1")};
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    System.out.println(figure.x + " " + figure.y);
  }
}
