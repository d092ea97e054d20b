// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Lambdas that capture, made and run in streams, in a comparator and by hand, between accesses of plain fields. */
final class Lambdas implements Kernel {
  private static final class Basket {
    int count;
    long weight;
  }

  @Override
  public String name() {
    return "lambdas";
  }

  @Override
  public int iterations() {
    return 30_000;
  }

  @Override
  public long work(int thread, int iterations) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 40; i++) numbers.add(i * 7 % 40);
    Basket basket = new Basket();
    long total = thread;
    for (int i = 0; i < iterations; i++) {
      int[] limit = {i & 31};
      long found = numbers.stream().filter(n -> n > limit[0]).mapToInt(n -> n - basket.count).sum();
      numbers.forEach(n -> basket.weight += n);
      IntUnaryOperator mix = n -> n * 31 + basket.count;
      IntUnaryOperator both = mix.andThen(n -> n ^ limit[0]);
      basket.count = (basket.count + both.applyAsInt((int) found)) & 1023;
      total = total * 31 + basket.weight + basket.count;
    }
    return total;
  }
}
