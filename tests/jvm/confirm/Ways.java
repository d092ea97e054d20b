// SPDX-License-Identifier: Apache-2.0
package confirm;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Arrays;

/** Races of a plain write with an access by way of a call. */
public final class Ways {
  static final VarHandle HANDLE;
  static final MethodHandle SETTER;
  static final Field FIELD;
  static int byHandle, bySetter, byField;
  static final int[] filled = new int[4], copied = new int[4], set = new int[4];

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HANDLE = lookup.findStaticVarHandle(Ways.class, "byHandle", int.class);
      SETTER = lookup.findStaticSetter(Ways.class, "bySetter", int.class);
      FIELD = Ways.class.getDeclaredField("byField");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private Ways() {}

  private interface Action {
    void run() throws Throwable;
  }

  public static void main(String[] arguments) throws Exception {
    beside(() -> HANDLE.set(1), () -> byHandle = 2);
    beside(() -> {
      SETTER.invokeExact(1);
    }, () -> bySetter = 2);
    beside(() -> FIELD.setInt(null, 1), () -> byField = 2);
    beside(() -> Arrays.fill(filled, 1), () -> filled[1] = 2);
    beside(() -> System.arraycopy(new int[4], 0, copied, 0, 4), () -> copied[1] = 2);
    beside(() -> Array.setInt(set, 1, 1), () -> set[1] = 2);
  }

  private static void beside(Action one, Action other) throws InterruptedException {
    Thread first = new Thread(() -> act(one)), second = new Thread(() -> act(other));
    first.start();
    second.start();
    first.join();
    second.join();
  }

  private static void act(Action action) {
    try {
      action.run();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
