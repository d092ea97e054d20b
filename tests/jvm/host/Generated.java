// SPDX-License-Identifier: Apache-2.0
package host;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/** Class files that javac does not write, made with ASM. */
final class Generated {
  private static final String SUPPLIER = "java/util/function/IntSupplier";

  private Generated() {}

  static byte[] shaped(int shape) {
    return shaped(shape, "host/Shaped");
  }

  /** An IntSupplier whose fields differ in number, order and kind with the shape. */
  static byte[] shaped(int shape, String name) {
    ClassWriter out = new ClassWriter(0);
    out.visit(V11, ACC_PUBLIC | ACC_SUPER, name, null, "java/lang/Object", new String[] {SUPPLIER});
    for (int i = 0; i < shape; i++) out.visitField(ACC_PRIVATE, "filler" + i, i % 2 == 0 ? "J" : "Ljava/lang/Object;", null, null);
    out.visitField(shape % 2 == 0 ? ACC_PUBLIC : ACC_PUBLIC | ACC_VOLATILE, "value", "I", null, null);
    constructor(out);
    MethodVisitor m = out.visitMethod(ACC_PUBLIC | ACC_SYNCHRONIZED, "getAsInt", "()I", null, null);
    m.visitVarInsn(ALOAD, 0);
    m.visitInsn(DUP);
    m.visitFieldInsn(GETFIELD, name, "value", "I");
    m.visitIntInsn(BIPUSH, shape + 1);
    m.visitInsn(IADD);
    m.visitInsn(DUP_X1);
    m.visitFieldInsn(PUTFIELD, name, "value", "I");
    m.visitInsn(IRETURN);
    m.visitMaxs(3, 1);
    out.visitEnd();
    return out.toByteArray();
  }

  private static void constructor(ClassWriter out) {
    MethodVisitor init = out.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
    init.visitVarInsn(ALOAD, 0);
    init.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    init.visitInsn(RETURN);
    init.visitMaxs(1, 1);
  }

  private static ClassWriter begin(int version, String name) {
    ClassWriter out = new ClassWriter(0);
    out.visit(version, ACC_PUBLIC | ACC_SUPER, name, null, "java/lang/Object", new String[] {SUPPLIER});
    out.visitField(ACC_STATIC, "count", "I", null, null);
    out.visitField(ACC_STATIC | ACC_VOLATILE, "flag", "I", null, null);
    out.visitField(0, "own", "I", null, null);
    constructor(out);
    return out;
  }

  private static void increment(MethodVisitor m, String name, String field) {
    m.visitFieldInsn(GETSTATIC, name, field, "I");
    m.visitInsn(ICONST_1);
    m.visitInsn(IADD);
    m.visitFieldInsn(PUTSTATIC, name, field, "I");
  }

  /** Of any version, without stack maps: static and instance synchronized methods, a synchronized block, straight-line code only. */
  static byte[] old(int version, String name) {
    ClassWriter out = begin(version, name);
    MethodVisitor s = out.visitMethod(ACC_STATIC | ACC_SYNCHRONIZED, "bump", "()V", null, null);
    increment(s, name, "count");
    increment(s, name, "flag");
    s.visitInsn(RETURN);
    s.visitMaxs(2, 0);
    MethodVisitor m = out.visitMethod(ACC_PUBLIC | ACC_SYNCHRONIZED, "getAsInt", "()I", null, null);
    m.visitMethodInsn(INVOKESTATIC, name, "bump", "()V", false);
    m.visitVarInsn(ALOAD, 0);
    m.visitInsn(MONITORENTER);
    m.visitVarInsn(ALOAD, 0);
    m.visitInsn(DUP);
    m.visitFieldInsn(GETFIELD, name, "own", "I");
    m.visitInsn(ICONST_2);
    m.visitInsn(IADD);
    m.visitFieldInsn(PUTFIELD, name, "own", "I");
    m.visitVarInsn(ALOAD, 0);
    m.visitInsn(MONITOREXIT);
    m.visitInsn(ICONST_3);
    m.visitIntInsn(NEWARRAY, T_INT);
    m.visitInsn(DUP);
    m.visitInsn(ICONST_1);
    m.visitFieldInsn(GETSTATIC, name, "count", "I");
    m.visitInsn(IASTORE);
    m.visitInsn(ICONST_1);
    m.visitInsn(IALOAD);
    m.visitVarInsn(ALOAD, 0);
    m.visitFieldInsn(GETFIELD, name, "own", "I");
    m.visitInsn(IADD);
    m.visitInsn(IRETURN);
    m.visitMaxs(4, 1);
    out.visitEnd();
    return out.toByteArray();
  }

  /** A finally block as javac 1.3 wrote it: jsr and ret, with a loop around it and field accesses inside. */
  static byte[] subroutine(int version, String name) {
    ClassWriter out = begin(version, name);
    MethodVisitor m = out.visitMethod(ACC_PUBLIC, "getAsInt", "()I", null, null);
    Label start = new Label(), end = new Label(), handler = new Label(), finallyBlock = new Label(), after = new Label(), loop = new Label();
    m.visitTryCatchBlock(start, end, handler, null);
    m.visitInsn(ICONST_0);
    m.visitVarInsn(ISTORE, 1);
    m.visitLabel(loop);
    m.visitLabel(start);
    increment(m, name, "count");
    m.visitVarInsn(ALOAD, 0);
    m.visitFieldInsn(GETFIELD, name, "own", "I");
    m.visitInsn(POP);
    m.visitLabel(end);
    m.visitJumpInsn(JSR, finallyBlock);
    m.visitIincInsn(1, 1);
    m.visitVarInsn(ILOAD, 1);
    m.visitInsn(ICONST_5);
    m.visitJumpInsn(IF_ICMPLT, loop);
    m.visitJumpInsn(GOTO, after);
    m.visitLabel(handler);
    m.visitVarInsn(ASTORE, 2);
    m.visitJumpInsn(JSR, finallyBlock);
    m.visitVarInsn(ALOAD, 2);
    m.visitInsn(ATHROW);
    m.visitLabel(finallyBlock);
    m.visitVarInsn(ASTORE, 3);
    increment(m, name, "flag");
    m.visitVarInsn(ALOAD, 0);
    m.visitInsn(DUP);
    m.visitFieldInsn(GETFIELD, name, "own", "I");
    m.visitInsn(ICONST_3);
    m.visitInsn(IADD);
    m.visitFieldInsn(PUTFIELD, name, "own", "I");
    m.visitVarInsn(RET, 3);
    m.visitLabel(after);
    m.visitVarInsn(ALOAD, 0);
    m.visitFieldInsn(GETFIELD, name, "own", "I");
    m.visitFieldInsn(GETSTATIC, name, "count", "I");
    m.visitInsn(IADD);
    m.visitFieldInsn(GETSTATIC, name, "flag", "I");
    m.visitInsn(IADD);
    m.visitInsn(IRETURN);
    m.visitMaxs(3, 4);
    out.visitEnd();
    return out.toByteArray();
  }

  /** A method of nearly {@code size} bytes of code that is all field accesses: watched, it does not fit. */
  static byte[] large(int version, String name, int size) {
    ClassWriter out = begin(version, name);
    MethodVisitor m = out.visitMethod(ACC_PUBLIC | ACC_SYNCHRONIZED, "getAsInt", "()I", null, null);
    int each = 8;
    for (int i = 0; i + 5 * each < size; i += each) increment(m, name, "count");
    m.visitFieldInsn(GETSTATIC, name, "count", "I");
    m.visitInsn(IRETURN);
    m.visitMaxs(2, 1);
    small(out, name);
    out.visitEnd();
    return out.toByteArray();
  }

  private static void small(ClassWriter out, String name) {
    MethodVisitor m = out.visitMethod(ACC_PUBLIC | ACC_STATIC, "small", "()I", null, null);
    increment(m, name, "flag");
    m.visitFieldInsn(GETSTATIC, name, "flag", "I");
    m.visitInsn(IRETURN);
    m.visitMaxs(2, 0);
  }

  /** A switch (table or lookup) with {@code cases} cases in a loop, jumps of more than 32 KiB where there are many. Version 49: no stack maps. */
  static byte[] large_switch(String name, int cases, boolean table) {
    ClassWriter out = begin(V1_5, name);
    MethodVisitor m = out.visitMethod(ACC_PUBLIC, "getAsInt", "()I", null, null);
    Label[] labels = new Label[cases];
    int[] keys = new int[cases];
    for (int i = 0; i < cases; i++) {
      labels[i] = new Label();
      keys[i] = table ? i : i * 7 - 100;
    }
    Label end = new Label(), loop = new Label(), done = new Label();
    m.visitInsn(ICONST_0);
    m.visitVarInsn(ISTORE, 1);
    m.visitLabel(loop);
    m.visitVarInsn(ILOAD, 1);
    if (table) m.visitTableSwitchInsn(0, cases - 1, end, labels); else m.visitLookupSwitchInsn(end, keys, labels);
    for (int i = 0; i < cases; i++) {
      m.visitLabel(labels[i]);
      m.visitFieldInsn(GETSTATIC, name, "count", "I");
      m.visitIntInsn(BIPUSH, i % 100);
      m.visitInsn(IADD);
      m.visitFieldInsn(PUTSTATIC, name, "count", "I");
      m.visitJumpInsn(GOTO, end);
    }
    m.visitLabel(end);
    m.visitIincInsn(1, 1);
    m.visitVarInsn(ILOAD, 1);
    m.visitLdcInsn(table ? cases + 5 : cases * 7);
    m.visitJumpInsn(IF_ICMPGE, done);
    m.visitJumpInsn(GOTO, loop);
    m.visitLabel(done);
    m.visitFieldInsn(GETSTATIC, name, "count", "I");
    m.visitInsn(IRETURN);
    m.visitMaxs(2, 2);
    out.visitEnd();
    return out.toByteArray();
  }

  /** Many fields: watched, each needs up to two more; 65,535 is the limit. */
  static byte[] many_fields(String name, int fields) {
    ClassWriter out = begin(V11, name);
    for (int i = 0; i < fields; i++) out.visitField(0, "f" + i, "I", null, null);
    MethodVisitor m = out.visitMethod(ACC_PUBLIC, "getAsInt", "()I", null, null);
    for (int i = 0; i < 50; i++) {
      m.visitVarInsn(ALOAD, 0);
      m.visitInsn(DUP);
      m.visitFieldInsn(GETFIELD, name, "f" + i, "I");
      m.visitIntInsn(BIPUSH, i);
      m.visitInsn(IADD);
      m.visitFieldInsn(PUTFIELD, name, "f" + i, "I");
    }
    m.visitVarInsn(ALOAD, 0);
    m.visitFieldInsn(GETFIELD, name, "f49", "I");
    m.visitInsn(IRETURN);
    m.visitMaxs(3, 1);
    out.visitEnd();
    return out.toByteArray();
  }

  /** Many methods, each with a read and a write of its own. */
  static byte[] many_methods(String name, int methods) {
    ClassWriter out = begin(V11, name);
    MethodVisitor all = out.visitMethod(ACC_PUBLIC, "getAsInt", "()I", null, null);
    for (int i = 0; i < methods; i++) {
      MethodVisitor m = out.visitMethod(0, "increment" + i, "()V", null, null);
      m.visitVarInsn(ALOAD, 0);
      m.visitInsn(DUP);
      m.visitFieldInsn(GETFIELD, name, "own", "I");
      m.visitInsn(ICONST_1);
      m.visitInsn(IADD);
      m.visitFieldInsn(PUTFIELD, name, "own", "I");
      m.visitInsn(RETURN);
      m.visitMaxs(3, 1);
      all.visitVarInsn(ALOAD, 0);
      all.visitMethodInsn(INVOKEVIRTUAL, name, "increment" + i, "()V", false);
    }
    all.visitVarInsn(ALOAD, 0);
    all.visitFieldInsn(GETFIELD, name, "own", "I");
    all.visitInsn(IRETURN);
    all.visitMaxs(1, 1);
    out.visitEnd();
    return out.toByteArray();
  }

  /** A constant pool that is nearly full. */
  static byte[] full_pool(String name, int strings) {
    ClassWriter out = begin(V11, name);
    for (int i = 0; i < strings; i++) out.newConst("constant " + i);
    MethodVisitor m = out.visitMethod(ACC_PUBLIC | ACC_SYNCHRONIZED, "getAsInt", "()I", null, null);
    increment(m, name, "count");
    m.visitFieldInsn(GETSTATIC, name, "count", "I");
    m.visitInsn(IRETURN);
    m.visitMaxs(2, 1);
    out.visitEnd();
    return out.toByteArray();
  }

  /** Monitors as no compiler writes them: entered twice, left in the other order, or never. */
  static byte[] odd_monitors(String name, boolean left) {
    ClassWriter out = begin(V1_5, name);
    MethodVisitor m = out.visitMethod(ACC_PUBLIC, "getAsInt", "()I", null, null);
    m.visitVarInsn(ALOAD, 0);
    m.visitInsn(MONITORENTER);
    m.visitLdcInsn("text");
    m.visitInsn(MONITORENTER);
    increment(m, name, "count");
    m.visitVarInsn(ALOAD, 0);
    m.visitInsn(MONITOREXIT);
    if (left) {
      m.visitLdcInsn("text");
      m.visitInsn(MONITOREXIT);
    }
    m.visitFieldInsn(GETSTATIC, name, "count", "I");
    m.visitInsn(IRETURN);
    m.visitMaxs(2, 1);
    out.visitEnd();
    return out.toByteArray();
  }
}
