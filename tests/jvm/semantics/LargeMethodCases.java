// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;

/** Methods that would be larger than the format allows if all their accesses were watched: their synchronisation is. */
final class LargeMethodCases {
  /** What the large method does: the action with the monitor of {@code lock} held, then a store into each of many elements. */
  interface Large {
    void run(Object lock, Runnable action, int[] elements);
  }

  static final int ELEMENTS = 7000;

  static final class MonitorInLargeMethod_norace extends Case.Pair {
    int value;
    final Object lock = new Object();
    final Large large = LargeMethod.define("MonitorInLargeMethod");
    final Runnable action = () -> value++;
    void a() { large.run(lock, action, new int[ELEMENTS]); }
    void b() { large.run(lock, action, new int[ELEMENTS]); }
  }

  @Case.Racy("value")
  static final class OtherMonitorInLargeMethod_race extends Case.Pair {
    int value;
    final Large large = LargeMethod.define("OtherMonitorInLargeMethod");
    final Runnable action = () -> value++;
    void a() { large.run(new Object(), action, new int[ELEMENTS]); }
    void b() { large.run(new Object(), action, new int[ELEMENTS]); }
  }

  /** Writes the class file of a {@link Large}: no compiler likes methods of that size. */
  static final class LargeMethod {
    private static final int ALOAD_0 = 42, ALOAD_1 = 43, ALOAD_2 = 44, ALOAD_3 = 45, SIPUSH = 17, ICONST_1 = 4, IASTORE = 79;
    private static final int MONITORENTER = 194, MONITOREXIT = 195, INVOKESPECIAL = 183, INVOKEINTERFACE = 185, RETURN = 177;
    private final ByteArrayOutputStream pool = new ByteArrayOutputStream();
    private final DataOutputStream constants = new DataOutputStream(pool);
    private int last;

    static Large define(String name) {
      try {
        String inPackage = name + Integer.toHexString(System.identityHashCode(new Object()));
        byte[] bytes = new LargeMethod().write("semantics/" + inPackage);
        return (Large) MethodHandles.lookup().defineClass(bytes).getConstructor().newInstance();
      } catch (ReflectiveOperationException | IOException e) {
        throw new AssertionError(e);
      }
    }

    private byte[] write(String name) throws IOException {
      int self = type(name);
      int object = type("java/lang/Object");
      int large = type("semantics/LargeMethodCases$Large");
      int superConstructor = member(10, "java/lang/Object", "<init>", "()V");
      int action = member(11, "java/lang/Runnable", "run", "()V");
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream methods = new DataOutputStream(bytes);
      method(methods, "<init>", "()V", new byte[] {ALOAD_0, (byte) INVOKESPECIAL, 0, (byte) superConstructor, (byte) RETURN});
      method(methods, "run", "(Ljava/lang/Object;Ljava/lang/Runnable;[I)V", body(action));
      ByteArrayOutputStream result = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(result);
      out.writeInt(0xcafebabe);
      out.writeInt(52);
      out.writeShort(last + 1);
      out.write(pool.toByteArray());
      out.writeShort(0x21);  // public, super
      out.writeShort(self);
      out.writeShort(object);
      out.writeShort(1);
      out.writeShort(large);
      out.writeShort(0);
      out.writeShort(2);
      out.write(bytes.toByteArray());
      out.writeShort(0);
      return result.toByteArray();
    }

    private static byte[] body(int action) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream code = new DataOutputStream(bytes);
      code.write(new byte[] {ALOAD_1, (byte) MONITORENTER, ALOAD_2, (byte) INVOKEINTERFACE, 0, (byte) action, 1, 0, ALOAD_1, (byte) MONITOREXIT});
      for (int i = 0; i < ELEMENTS; i++) {
        code.write(new byte[] {ALOAD_3, SIPUSH, (byte) (i >> 8), (byte) i, ICONST_1, IASTORE});
      }
      code.write(RETURN);
      return bytes.toByteArray();
    }

    private void method(DataOutputStream out, String name, String descriptor, byte[] code) throws IOException {
      out.writeShort(1);  // public
      out.writeShort(text(name));
      out.writeShort(text(descriptor));
      out.writeShort(1);
      out.writeShort(text("Code"));
      out.writeInt(code.length + 12);
      out.writeShort(3);
      out.writeShort(4);
      out.writeInt(code.length);
      out.write(code);
      out.writeInt(0);  // neither handlers nor attributes
    }

    private int text(String text) throws IOException {
      constants.writeByte(1);
      constants.writeUTF(text);
      return ++last;
    }

    private int type(String name) throws IOException {
      int text = text(name);
      constants.writeByte(7);
      constants.writeShort(text);
      return ++last;
    }

    private int member(int tag, String owner, String name, String descriptor) throws IOException {
      int type = type(owner);
      int nameText = text(name);
      int descriptorText = text(descriptor);
      constants.writeByte(12);
      constants.writeShort(nameText);
      constants.writeShort(descriptorText);
      int nameAndType = ++last;
      constants.writeByte(tag);
      constants.writeShort(type);
      constants.writeShort(nameAndType);
      return ++last;
    }
  }
}
