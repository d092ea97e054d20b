// SPDX-License-Identifier: Apache-2.0
package kernels;

/** Small arrays made for one call each, as those of methods with a variable number of arguments are, and read by who is called. */
final class ArgumentArrays implements Kernel {
  /** Three of them, so that the JIT cannot see through the call and leave the array out. */
  private interface Operation {
    int apply(Object[] arguments);
  }

  private static final class Sum implements Operation {
    @Override
    public int apply(Object[] arguments) {
      int sum = 0;
      for (Object argument : arguments) {
        sum += (Integer) argument;
      }
      return sum;
    }
  }

  private static final class First implements Operation {
    @Override
    public int apply(Object[] arguments) {
      return (Integer) arguments[0];
    }
  }

  private static final class Last implements Operation {
    @Override
    public int apply(Object[] arguments) {
      return (Integer) arguments[arguments.length - 1];
    }
  }

  private final Operation[] operations = {new Sum(), new First(), new Last()};

  @Override
  public String name() {
    return "argument_arrays";
  }

  @Override
  public int iterations() {
    return 400_000;
  }

  @Override
  public long work(int thread, int iterations) {
    long total = thread;
    for (int i = 0; i < iterations; i++) {
      Operation operation = operations[i % operations.length];
      total = total * 31 + operation.apply(new Object[] {i & 63, thread});
    }
    return total;
  }
}
