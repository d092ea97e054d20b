// SPDX-License-Identifier: Apache-2.0
package subjects.harness;

/** What a subject is asked to do: {@code --threads N --size tiny|small|default --seed S}. */
public record Options(int threads, Size size, long seed) {
  public enum Size { TINY, SMALL, DEFAULT }

  private static final int MIN_THREADS = 1;
  private static final int MAX_THREADS = 64;

  public static Options parse(String[] args) {
    int threads = 4;
    Size size = Size.DEFAULT;
    long seed = 1;
    for (int i = 0; i < args.length; i += 2) {
      if (i + 1 == args.length) {
        throw new IllegalArgumentException(args[i] + " needs a value");
      }
      String value = args[i + 1];
      switch (args[i]) {
        case "--threads" -> threads = parseThreads(value);
        case "--size" -> size = parseSize(value);
        case "--seed" -> seed = Long.parseLong(value);
        default -> throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    return new Options(threads, size, seed);
  }

  /** The amount of work: {@code small} takes 1-3 s on one core, {@code default} 4-10 s; {@code tiny} is a fiftieth of small. */
  public int amount(int small, int standard) {
    return switch (size) {
      case TINY -> Math.max(1, small / 50);
      case SMALL -> small;
      case DEFAULT -> standard;
    };
  }

  private static int parseThreads(String value) {
    int threads = Integer.parseInt(value);
    if (threads < MIN_THREADS || threads > MAX_THREADS) {
      throw new IllegalArgumentException(
          "--threads takes " + MIN_THREADS + " to " + MAX_THREADS + ", not " + value);
    }
    return threads;
  }

  private static Size parseSize(String value) {
    return switch (value) {
      case "tiny" -> Size.TINY;
      case "small" -> Size.SMALL;
      case "default" -> Size.DEFAULT;
      default -> throw new IllegalArgumentException("--size is tiny, small or default, not " + value);
    };
  }
}
