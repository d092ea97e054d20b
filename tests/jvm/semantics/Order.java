// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.lang.reflect.Field;
import sun.misc.Unsafe;

/**
 * The barrier the tool does not see: flags in native memory, read and written by address in no mode that orders anything. What keeps
 * the JIT from moving them are the calls around: {@code setMemory} is one, and who waits yields.
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
    put(FLAGS + FIRST, first);
  }

  /**
   * Waits until both are here, then for the turn of {@code who}: the other one may go when the first has left. Two calls thus are never
   * one thread's, and whatever starting a thread or a task synchronises is over.
   */
  static void enter(int who) {
    put(FLAGS + ARRIVED + who, 1);
    awaitFlag(FLAGS + ARRIVED + (1 - who));
    if (get(FLAGS + FIRST) != who) awaitFlag(FLAGS + LEFT + (1 - who));
  }

  static void leave(int who) {
    put(FLAGS + LEFT + who, 1);
  }

  static boolean hasArrived(int who) {
    return get(FLAGS + ARRIVED + who) != 0;
  }

  static boolean hasLeft(int who) {
    return get(FLAGS + LEFT + who) != 0;
  }

  static void done(int who) {
    put(FLAGS + DONE + who, 1);
  }

  /**
   * Keeps the threads of a pair from ending, and the main thread from joining them, until both have done all they do: Thread.exit()
   * synchronises with whoever interrupts the thread, and join() is one more user of the thread's monitor.
   */
  static void awaitBothDone() {
    awaitFlag(FLAGS + DONE + A);
    awaitFlag(FLAGS + DONE + B);
  }

  static int first() {
    return get(FLAGS + FIRST);
  }

  static void signal(int number) {
    put(FLAGS + SIGNALS + number, 1);
  }

  static void await(int number) {
    awaitFlag(FLAGS + SIGNALS + number);
  }

  static boolean signalled(int number) {
    return get(FLAGS + SIGNALS + number) != 0;
  }

  private static void put(long address, int value) {
    U.setMemory(address, 1, (byte) value);
  }

  private static byte get(long address) {
    return U.getByte(address);
  }

  private static void awaitFlag(long address) {
    while (get(address) == 0) Thread.yield();
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
