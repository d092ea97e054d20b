// SPDX-License-Identifier: Apache-2.0
package kernels;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** Warms a kernel up, then times repetitions of it. */
final class Measurement {
  /** What comes out of a measurement. */
  record Result(String kernel, long wallNanos, long cpuNanos, long checksum) {
    String json() {
      return String.format(
          "{\"kernel\": \"%s\", \"wall_ns\": %d, \"cpu_ns\": %d, \"checksum\": \"%016x\"}",
          kernel, wallNanos, cpuNanos, checksum);
    }
  }

  private final OperatingSystemMXBean process =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final Kernel kernel;
  private final int threads;
  private final int warmup;
  private final int repetitions;

  Measurement(Kernel kernel, int threads, int warmup, int repetitions) {
    this.kernel = kernel;
    this.threads = threads;
    this.warmup = warmup;
    this.repetitions = repetitions;
  }

  Result run() throws InterruptedException {
    long checksum = repetition();
    for (int i = 1; i < warmup; i++) {
      check(checksum);
    }
    long[] wall = new long[repetitions];
    long cpuStart = process.getProcessCpuTime();
    for (int i = 0; i < repetitions; i++) {
      long start = System.nanoTime();
      check(checksum);
      wall[i] = System.nanoTime() - start;
    }
    long cpu = process.getProcessCpuTime() - cpuStart;
    Arrays.sort(wall);
    return new Result(kernel.name(), wall[repetitions / 2], cpu / repetitions, checksum);
  }

  private void check(long expected) throws InterruptedException {
    long checksum = repetition();
    if (checksum != expected) {
      throw new IllegalStateException(
          String.format("%s: checksum %016x, then %016x", kernel.name(), expected, checksum));
    }
  }

  private long repetition() throws InterruptedException {
    long[] parts = new long[threads];
    Thread[] team = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      int thread = i;
      team[i] = new Thread(() -> parts[thread] = kernel.work(thread, kernel.iterations()));
      team[i].start();
    }
    long checksum = 0;
    for (int i = 0; i < threads; i++) {
      team[i].join();
      checksum = checksum * 31 + parts[i];
    }
    return checksum * 31 + kernel.finish();
  }
}
