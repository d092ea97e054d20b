// SPDX-License-Identifier: Apache-2.0

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock that is taken by a compare-and-set and let go by a plain write of the same field. To the memory model the two accesses of
 * {@code data} race, but in no schedule do they stand beside each other: who is refused spins.
 */
public final class SpinLock {
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "held", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private int held;
  private int data;

  void add() {
    while (!HELD.compareAndSet(this, 0, 1)) Thread.yield();
    data++;
    held = 0;
  }

  public static void main(String[] arguments) throws InterruptedException {
    SpinLock lock = new SpinLock();
    Thread first = new Thread(lock::add);
    Thread second = new Thread(lock::add);
    first.start();
    second.start();
    first.join();
    second.join();
    if (lock.data != 2) throw new IllegalStateException("an update was lost");
  }
}
