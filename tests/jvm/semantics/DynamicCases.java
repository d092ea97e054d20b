// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * What a program links itself: an invokedynamic and a dynamic constant with bootstrap methods of its own. The first thread that comes by
 * links it, visibly to all others (java.lang.invoke).
 */
public final class DynamicCases {
  private DynamicCases() {}

  public static final class Box {
    int v;
    Box(int n) { v = n; }
  }

  public static CallSite link(MethodHandles.Lookup lookup, String name, MethodType type) {
    return new ConstantCallSite(MethodHandles.constant(Object.class, new Box(7)));
  }

  public static Object make(MethodHandles.Lookup lookup, String name, Class<?> type) {
    return new Box(7);
  }

  /** The class with the two; no compiler writes it. */
  private static final class Site extends ClassLoader {
    private static final int VERSION = 55;
    private static final int UTF8 = 1, CLASS = 7, METHOD = 10, NAME_AND_TYPE = 12, METHOD_HANDLE = 15, DYNAMIC = 17, INVOKE_DYNAMIC = 18;
    private static final int INVOKE_STATIC = 6, PUBLIC = 1, STATIC = 8, SUPER = 0x20;
    private static final int LDC = 0x12, ARETURN = 0xb0, INVOKEDYNAMIC = 0xba;

    private Site() { super(DynamicCases.class.getClassLoader()); }

    static MethodHandle method(String name) {
      try {
        byte[] bytes = bytes();
        Class<?> made = new Site().defineClass("semantics.DynamicSite", bytes, 0, bytes.length);
        return MethodHandles.publicLookup().findStatic(made, name, MethodType.methodType(Object.class));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    private static byte[] bytes() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(0xCAFEBABE);
      out.writeInt(VERSION);
      out.writeShort(27);
      text(out, "semantics/DynamicSite");
      pair(out, CLASS, 1);
      text(out, "java/lang/Object");
      pair(out, CLASS, 3);
      text(out, "call");
      text(out, "constant");
      text(out, "()Ljava/lang/Object;");
      text(out, "Code");
      text(out, "BootstrapMethods");
      text(out, "semantics/DynamicCases");
      pair(out, CLASS, 10);
      text(out, "link");
      text(out, "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;");
      pair(out, NAME_AND_TYPE, 12, 13);
      pair(out, METHOD, 11, 14);
      handle(out, 15);
      text(out, "make");
      text(out, "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;");
      pair(out, NAME_AND_TYPE, 17, 18);
      pair(out, METHOD, 11, 19);
      handle(out, 20);
      pair(out, NAME_AND_TYPE, 5, 7);
      pair(out, INVOKE_DYNAMIC, 0, 22);
      text(out, "Ljava/lang/Object;");
      pair(out, NAME_AND_TYPE, 6, 24);
      pair(out, DYNAMIC, 1, 25);
      out.writeShort(PUBLIC | SUPER);
      for (int part : new int[] {2, 4, 0, 0, 2}) out.writeShort(part);  // class, superclass; no interfaces and fields, two methods
      method(out, 5, INVOKEDYNAMIC, 0, 23, 0, 0, ARETURN);
      method(out, 6, LDC, 26, ARETURN);
      out.writeShort(1);
      out.writeShort(9);
      out.writeInt(10);
      for (int part : new int[] {2, 16, 0, 21, 0}) out.writeShort(part);  // two bootstrap methods without arguments
      return bytes.toByteArray();
    }

    private static void text(DataOutputStream out, String text) throws IOException {
      out.writeByte(UTF8);
      out.writeUTF(text);
    }

    private static void pair(DataOutputStream out, int tag, int... parts) throws IOException {
      out.writeByte(tag);
      for (int part : parts) out.writeShort(part);
    }

    private static void handle(DataOutputStream out, int method) throws IOException {
      out.writeByte(METHOD_HANDLE);
      out.writeByte(INVOKE_STATIC);
      out.writeShort(method);
    }

    private static void method(DataOutputStream out, int name, int... code) throws IOException {
      for (int part : new int[] {PUBLIC | STATIC, name, 7, 1, 8}) out.writeShort(part);
      out.writeInt(12 + code.length);
      out.writeShort(1);
      out.writeShort(0);
      out.writeInt(code.length);
      for (int part : code) out.writeByte(part);
      out.writeInt(0);  // no handlers, no attributes
    }
  }

  abstract static class Linked extends Case.Pair {
    final MethodHandle method;

    Linked(String name) { method = Site.method(name); }

    Box get() {
      try {
        return (Box) (Object) method.invokeExact();
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static final class CallSite_norace extends Linked {
    int x, y;
    CallSite_norace() { super("call"); }
    void a() { x = get().v; }
    void b() { y = get().v; }
  }

  static final class Constant_norace extends Linked {
    int x, y;
    Constant_norace() { super("constant"); }
    void a() { x = get().v; }
    void b() { y = get().v; }
  }

  /** Linked long before: what is done with the object then is nobody's order. */
  @Case.Racy("semantics.DynamicCases$Box")
  static final class LinkedBefore_race extends Linked {
    int y;
    LinkedBefore_race() { super("call"); }
    void setup() { get(); }
    void a() { get().v = 8; }
    void b() { y = get().v; }
  }
}
