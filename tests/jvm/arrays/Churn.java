// SPDX-License-Identifier: Apache-2.0
package arrays;

import java.lang.reflect.Field;
import java.util.concurrent.ArrayBlockingQueue;
import sun.misc.Unsafe;

/**
 * Small arrays by the hundred thousand, handed from one thread to another and dropped, on a heap that is collected many times: the words of
 * those that are gone are used again, and nothing of them may be seen in the next array. Among them a few that live all the
 * while, and one that a method has used and gives up; last, two threads write each element of these without synchronisation, and every one of these races must be seen.
 */
public final class Churn {
  private static final int ROUNDS = 200_000;
  private static final int KEPT = 200;
  private static final int KEPT_LENGTH = 5;
  private static final int RARELY = 97;

  private static final Unsafe U = unsafe();
  /** Two flags that no tool sees (semantics/Order.java). */
  private static final long FLAGS = U.allocateMemory(16);

  private final ArrayBlockingQueue<Object> toSecond = new ArrayBlockingQueue<>(256);
  private final int[][] kept = new int[KEPT][KEPT_LENGTH];
  private long sum;

  public static void main(String[] arguments) throws Exception {
    new Churn().run();
  }

  private void run() throws Exception {
    U.setMemory(FLAGS, 16, (byte) 0);
    useNone();
    Thread first = new Thread(this::first, "first");
    Thread second = new Thread(this::second, "second");
    first.start();
    second.start();
    first.join();
    second.join();
    System.out.println("sum " + sum);
  }

  /** What is known of an array that is gone is not to be taken for what is known of none. */
  private static void useNone() {
    int[][] only = {new int[1 << 18]};
    int[] array = only[0];
    only[0] = null;
    array[5] = 1;
    long sum = array[5];
    array = null;
    System.gc();
    for (int i = 0; i < ROUNDS / 10; i++) {
      Object made = make(i);
      write(made, i);
      sum += read(made);
    }
    int caught = 0;
    try {
      sum += array[5];
    } catch (NullPointerException expected) {
      caught++;
    }
    try {
      array[5] = (int) sum;
    } catch (NullPointerException expected) {
      caught++;
    }
    if (caught != 2) throw new AssertionError(caught);
  }

  private void first() {
    try {
      for (int i = 0; i < ROUNDS; i++) {
        Object made = make(i);
        write(made, i);
        toSecond.put(made);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    meet(0);
    overwrite(1);
    U.setMemory(FLAGS + 2, 1, (byte) 1);
    meet(3);
  }

  private void second() {
    long total = 0;
    try {
      for (int i = 0; i < ROUNDS; i++) {
        Object taken = toSecond.take();
        total += read(taken);
        write(taken, i + 1);
        if (i % RARELY == 0) total += keptSum();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    sum = total;
    meet(1);
    while (U.getByte(FLAGS + 2) == 0) Thread.yield();
    overwrite(2);
    meet(4);
  }

  /** Both threads are here, and what the queue's handing over ordered is behind them. */
  private static void meet(int own) {
    U.setMemory(FLAGS + own, 1, (byte) 1);
    while (U.getByte(FLAGS + (own < 2 ? 1 - own : 7 - own)) == 0) Thread.yield();
  }

  private static Object make(int i) {
    int length = 1 + i % 70;  // from the smallest to some that are not small
    switch (i % 5) {
      case 0: return new int[length];
      case 1: return new byte[length];
      case 2: return new long[length];
      case 3: return new Object[length];
      default: return new char[length];
    }
  }

  private static void write(Object array, int i) {
    if (array instanceof int[] of) for (int k = 0; k < of.length; k++) of[k] = i;
    if (array instanceof byte[] of) for (int k = 0; k < of.length; k++) of[k] = (byte) i;
    if (array instanceof long[] of) for (int k = 0; k < of.length; k++) of[k] = i;
    if (array instanceof Object[] of) for (int k = 0; k < of.length; k++) of[k] = "";
    if (array instanceof char[] of) for (int k = 0; k < of.length; k++) of[k] = (char) i;
  }

  private static long read(Object array) {
    long sum = 0;
    if (array instanceof int[] of) for (int element : of.clone()) sum += element;
    if (array instanceof byte[] of) for (byte element : of) sum += element;
    if (array instanceof long[] of) for (long element : of) sum += element;
    if (array instanceof Object[] of) for (Object element : of) sum += element.hashCode();
    if (array instanceof char[] of) {
      char[] copy = new char[of.length];
      System.arraycopy(of, 0, copy, 0, of.length);
      for (char element : copy) sum += element;
    }
    return sum;
  }

  private long keptSum() {
    long sum = 0;
    for (int[] array : kept) sum += array[0];
    return sum;
  }

  private void overwrite(int value) {
    for (int[] array : kept) {
      for (int k = 1; k < array.length; k++) array[k] = value;
    }
  }

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
