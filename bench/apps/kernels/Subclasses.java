// SPDX-License-Identifier: Apache-2.0
package kernels;

/** Short-lived small objects whose classes have superclasses: each is built by two or three constructors. */
final class Subclasses implements Kernel {
  private interface Tree {
    int value();
  }

  private abstract static class Numbered implements Tree {
    private int number;

    Numbered(int number) { this.number = number; }

    int number() { return number; }
  }

  private static final class Leaf extends Numbered {
    private int value;

    Leaf(int value) {
      super(value & 7);
      this.value = value;
    }

    @Override
    public int value() { return value + number(); }
  }

  private abstract static class Branch extends Numbered {
    private Tree left;
    private Tree right;

    Branch(int number, Tree left, Tree right) {
      super(number);
      this.left = left;
      this.right = right;
    }

    Tree left() { return left; }

    Tree right() { return right; }
  }

  private static final class Sum extends Branch {
    private int weight;

    Sum(Tree left, Tree right) {
      super(left.value(), left, right);
      weight = right.value();
    }

    @Override
    public int value() { return left().value() + right().value() + weight - number(); }
  }

  @Override
  public String name() {
    return "subclasses";
  }

  @Override
  public int iterations() {
    return 500_000;
  }

  @Override
  public long work(int thread, int iterations) {
    long total = thread;
    for (int i = 0; i < iterations; i++) {
      Tree tree = new Sum(new Sum(new Leaf(i), new Leaf(i + 1)), new Sum(new Leaf(i + 2), new Leaf(i + 3)));
      total = total * 31 + tree.value();
    }
    return total;
  }
}
