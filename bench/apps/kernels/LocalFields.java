// SPDX-License-Identifier: Apache-2.0
package kernels;

/** Fields of objects that only one thread ever sees: five reads and two writes a step, around a ring. */
final class LocalFields implements Kernel {
  private static final int RING = 256;

  private static final class Cell {
    Cell next;
    int count;
    long sum;
  }

  @Override
  public String name() {
    return "local_fields";
  }

  @Override
  public int iterations() {
    return 30_000_000;
  }

  @Override
  public long work(int thread, int iterations) {
    Cell cell = ring();
    for (int i = 0; i < iterations; i++) {
      cell.count += i & 7;
      cell.sum += cell.count ^ thread;
      cell = cell.next;
    }
    long total = 0;
    for (int i = 0; i < RING; i++) {
      total = total * 31 + cell.sum;
      cell = cell.next;
    }
    return total;
  }

  private static Cell ring() {
    Cell first = new Cell();
    Cell last = first;
    for (int i = 1; i < RING; i++) {
      last.next = new Cell();
      last = last.next;
    }
    last.next = first;
    return first;
  }
}
