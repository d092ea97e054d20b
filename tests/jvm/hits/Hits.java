// SPDX-License-Identifier: Apache-2.0
package hits;

/** Two threads read the same objects, elements and static fields over and over, and each writes its own: over a million accesses. */
public final class Hits {
  static final class Node {
    int value;
    Node next;
  }

  private static final int NODES = 64;
  private static final int ROUNDS = 4_000;
  private static int factor;

  private Hits() {}

  private static long walk(Node first, int[] elements) {
    Node own = new Node();
    for (int round = 0; round < ROUNDS; round++) {
      Node node = first;
      for (int i = 0; i < NODES; i++) {
        own.value += node.value * factor + elements[i];
        node = node.next;
      }
    }
    return own.value;
  }

  public static void main(String[] arguments) throws InterruptedException {
    Node first = new Node();
    Node last = first;
    int[] elements = new int[NODES];
    for (int i = 1; i < NODES; i++) {
      last = last.next = new Node();
      last.value = elements[i] = i;
    }
    last.next = first;
    factor = 3;
    Thread[] readers = new Thread[2];
    for (int i = 0; i < readers.length; i++) (readers[i] = new Thread(() -> walk(first, elements))).start();
    for (Thread reader : readers) reader.join();
  }
}
