// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * Runs one kernel: {@code KernelMain NAME [--threads N] [--warmup N] [--repetitions N]}, or {@code --list}. Prints one
 * JSON line. Times are per repetition: the median for the wall clock, the mean for CPU time of the whole process,
 * whose clock ticks every 10 ms only.
 */
public final class KernelMain {
  private KernelMain() {}

  public static void main(String[] args) throws InterruptedException {
    if (args.length == 0 || args[0].equals("--list")) {
      Kernels.ALL.forEach(kernel -> System.out.println(kernel.name()));
      return;
    }
    Measurement measurement =
        new Measurement(
            Kernels.byName(args[0]),
            threads(args),
            option(args, "--warmup", 5),
            option(args, "--repetitions", 8));
    System.out.println(measurement.run().json());
  }

  /** Even, as some kernels work in pairs. */
  private static int threads(String[] args) {
    int threads = option(args, "--threads", 2);
    if (threads < 2 || threads > Kernel.MAX_THREADS || threads % 2 != 0) {
      throw new IllegalArgumentException("--threads takes an even number from 2 to " + Kernel.MAX_THREADS);
    }
    return threads;
  }

  private static int option(String[] args, String name, int otherwise) {
    for (int i = 1; i + 1 < args.length; i += 2) {
      if (args[i].equals(name)) {
        return Integer.parseInt(args[i + 1]);
      }
    }
    return otherwise;
  }
}
