// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;

/** One thread writes a field, another reads it, each by what the arguments say, and the value that was read is printed. */
public final class Handles {
  private static final VarHandle HANDLE;
  private static final MethodHandle GETTER, SETTER;
  private static final Field FIELD;
  int v;
  int seen;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HANDLE = lookup.findVarHandle(Handles.class, "v", int.class);
      GETTER = lookup.findGetter(Handles.class, "v", int.class);
      SETTER = lookup.findSetter(Handles.class, "v", int.class);
      FIELD = Handles.class.getDeclaredField("v");
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private void store(String how) throws Throwable {
    switch (how) {
      case "handle": HANDLE.set(this, 5); break;
      case "method": SETTER.invokeExact(this, 5); break;
      case "reflection": FIELD.setInt(this, 5); break;
      default: v = 5;
    }
  }

  private int load(String how) throws Throwable {
    switch (how) {
      case "handle": return (int) HANDLE.get(this);
      case "method": return (int) GETTER.invokeExact(this);
      case "reflection": return FIELD.getInt(this);
      default: return v;
    }
  }

  public static void main(String[] arguments) throws Throwable {
    Handles warm = new Handles();  // what the JDK makes at the first use is made here
    warm.store(arguments[0]);
    warm.load(arguments[1]);
    Handles shared = new Handles();
    Thread writer = new Thread(() -> {
      try {
        shared.store(arguments[0]);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    });
    Thread reader = new Thread(() -> {
      try {
        shared.seen = shared.load(arguments[1]);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    });
    writer.start();
    reader.start();
    writer.join();
    reader.join();
    System.out.println(shared.seen);
  }
}
