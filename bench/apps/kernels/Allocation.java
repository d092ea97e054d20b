// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.util.ArrayList;
import java.util.List;

/** Short-lived small objects: iterators, boxed numbers, list nodes. The plain JIT removes some of them altogether. */
final class Allocation implements Kernel {
  private static final int LENGTH = 16;

  private record Node(int value, Node next) {}

  @Override
  public String name() {
    return "allocation";
  }

  @Override
  public int iterations() {
    return 500_000;
  }

  @Override
  public long work(int thread, int iterations) {
    long total = thread;
    for (int i = 0; i < iterations; i++) {
      total = total * 31 + sum(boxed(i)) + length(chain(i & (LENGTH - 1)));
    }
    return total;
  }

  private static List<Integer> boxed(int start) {
    List<Integer> numbers = new ArrayList<>(LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      numbers.add(start + i * 1000);
    }
    return numbers;
  }

  private static long sum(List<Integer> numbers) {
    long total = 0;
    for (int number : numbers) {
      total += number;
    }
    return total;
  }

  private static Node chain(int length) {
    Node first = null;
    for (int i = 0; i < length; i++) {
      first = new Node(i, first);
    }
    return first;
  }

  private static int length(Node node) {
    int total = 0;
    for (Node n = node; n != null; n = n.next()) {
      total += n.value();
    }
    return total;
  }
}
