// SPDX-License-Identifier: Apache-2.0
package confirm;

/**
 * A walk over a list and a change that overtakes it. The walker comes to the new node only if it has left the first node before the change
 * takes it off, and reads the link of the second one after the new node was put behind it: it has to stand still between two reads that
 * are no synchronisation and race with other writes. Then its read of {@code late} meets the write; of {@code early} it never does, for
 * that is written before the node is to be had. With the argument {@code in-order} the threads take turns (see {@link Together}).
 */
public final class Overtaken {
  static final class Node {
    int early;
    int late;
    Node next;
  }

  private Overtaken() {}

  public static void main(String[] arguments) throws Exception {
    boolean inOrder = arguments.length > 0 && arguments[0].equals("in-order");
    Together turns = new Together(inOrder ? 2 : 0);
    Node first = new Node();
    first.next = new Node();
    first.next.next = new Node();
    Thread walker = new Thread(() -> walk(first, turns), "walker");
    Thread changer = new Thread(() -> change(first, first.next, turns), "changer");
    walker.start();
    changer.start();
    walker.join();
    changer.join();
  }

  private static void walk(Node first, Together turns) {
    Node second = first.next;
    turns.pass();
    turns.awaitPassed(2);
    if (second == null) return;
    Node third = second.next;
    if (third.early + third.late > 2) System.out.println("changed twice");
  }

  private static void change(Node first, Node second, Together turns) {
    turns.awaitPassed(1);
    Node added = new Node();
    first.next = null;
    added.early = 1;
    second.next = added;
    added.late = 1;
    turns.pass();
  }
}
