// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.reflect.Field;
import sun.misc.Unsafe;

/**
 * The barrier the tool does not see: flags in native memory, reached by address. There is no object, field or array behind them, so
 * no access of theirs can be watched and no edge can come of them; the volatile mode only keeps the JIT from hoisting the reads.
 */
final class Order {
  static final int A = 0;
  static final int B = 1;

  private static final int LEFT = 0;
  private static final int FIRST = 16;
  private static final int ARRIVED = 32;
  private static final int SIGNALS = 48;
  private static final int DONE = 80;
  private static final int SIZE = 128;

  private static final Unsafe U = unsafe();
  private static final long FLAGS = U.allocateMemory(SIZE);

  private Order() {}

  /** Before each case: nobody has been anywhere, and {@code first} goes first. */
  static void reset(int first) {
    U.setMemory(FLAGS, SIZE, (byte) 0);
    U.putByteVolatile(null, FLAGS + FIRST, (byte) first);
  }

  /**
   * Waits until both are here, then for the turn of {@code who}: the other one may go when the first has left. Two calls thus are never
   * one thread's, and whatever starting a thread or a task synchronises is over.
   */
  static void enter(int who) {
    U.putByteVolatile(null, FLAGS + ARRIVED + who, (byte) 1);
    awaitFlag(FLAGS + ARRIVED + (1 - who));
    if (U.getByteVolatile(null, FLAGS + FIRST) != who) awaitFlag(FLAGS + LEFT + (1 - who));
  }

  static void leave(int who) {
    U.putByteVolatile(null, FLAGS + LEFT + who, (byte) 1);
  }

  static boolean hasArrived(int who) {
    return U.getByteVolatile(null, FLAGS + ARRIVED + who) != 0;
  }

  static boolean hasLeft(int who) {
    return U.getByteVolatile(null, FLAGS + LEFT + who) != 0;
  }

  static void done(int who) {
    U.putByteVolatile(null, FLAGS + DONE + who, (byte) 1);
  }

  /**
   * Keeps the threads of a pair from ending, and the main thread from joining them, until both have done all they do: Thread.exit()
   * synchronises with whoever starts or interrupts a thread, and join() is one more user of the thread's monitor.
   */
  static void awaitBothDone() {
    awaitFlag(FLAGS + DONE + A);
    awaitFlag(FLAGS + DONE + B);
  }

  static int first() {
    return U.getByteVolatile(null, FLAGS + FIRST);
  }

  static void signal(int number) {
    U.putByteVolatile(null, FLAGS + SIGNALS + number, (byte) 1);
  }

  static void await(int number) {
    awaitFlag(FLAGS + SIGNALS + number);
  }

  static boolean signalled(int number) {
    return U.getByteVolatile(null, FLAGS + SIGNALS + number) != 0;
  }

  private static void awaitFlag(long address) {
    while (U.getByteVolatile(null, address) == 0) Thread.yield();
  }

  static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
