// SPDX-License-Identifier: Apache-2.0
package kernels;

/** Many live objects: each thread builds a long list and a search tree, then sweeps over both several times. */
final class HeapSweep implements Kernel {
  private static final int SWEEPS = 4;

  private static final class Item {
    final int key;
    long visits;
    Item next;
    Item left;
    Item right;

    Item(int key, Item next) {
      this.key = key;
      this.next = next;
    }
  }

  @Override
  public String name() {
    return "heap_sweep";
  }

  /** Objects per thread. */
  @Override
  public int iterations() {
    return 300_000;
  }

  @Override
  public long work(int thread, int iterations) {
    Item list = null;
    Item root = new Item(0, null);
    for (int i = 1; i < iterations; i++) {
      list = new Item(i * 0x9E3779B1 + thread, list);
      insert(root, list);
    }
    long total = 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      for (Item item = list; item != null; item = item.next) {
        item.visits += item.key ^ sweep;
        total += item.visits;
      }
      total = total * 31 + depthFirst(root, 0);
    }
    return total;
  }

  private static void insert(Item root, Item item) {
    Item parent = root;
    while (true) {
      Item child = item.key < parent.key ? parent.left : parent.right;
      if (child != null) {
        parent = child;
      } else if (item.key < parent.key) {
        parent.left = item;
        return;
      } else {
        parent.right = item;
        return;
      }
    }
  }

  private static long depthFirst(Item item, int depth) {
    return item == null
        ? depth
        : item.visits + depthFirst(item.left, depth + 1) * 3 + depthFirst(item.right, depth + 1);
  }
}
