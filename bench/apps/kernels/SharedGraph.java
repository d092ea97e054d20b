// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.util.SplittableRandom;

/** Random walks of all threads over a graph that was built before they started and is only read: two fields a step. */
final class SharedGraph implements Kernel {
  private static final int NODES = 16_384;

  private static final class Node {
    final int value;
    Node left;
    Node right;

    Node(int value) {
      this.value = value;
    }
  }

  private final Node root = build();

  @Override
  public String name() {
    return "shared_graph";
  }

  @Override
  public int iterations() {
    return 8_000_000;
  }

  @Override
  public long work(int thread, int iterations) {
    Node node = root;
    long sum = thread;
    for (int i = 0; i < iterations; i++) {
      sum = sum * 31 + node.value;
      node = (sum & 64) == 0 ? node.left : node.right;
    }
    return sum;
  }

  private static Node build() {
    SplittableRandom random = new SplittableRandom(1);
    Node[] nodes = new Node[NODES];
    for (int i = 0; i < NODES; i++) {
      nodes[i] = new Node(random.nextInt());
    }
    for (Node node : nodes) {
      node.left = nodes[random.nextInt(NODES)];
      node.right = nodes[random.nextInt(NODES)];
    }
    return nodes[0];
  }
}
