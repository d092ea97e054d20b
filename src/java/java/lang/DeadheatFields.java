// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.vm.annotation.Hidden;

/** The hooks around {@code Field.get…} and {@code set…} and {@code java.lang.reflect.Array.get…} and {@code set…} called by watched code. */
public final class DeadheatFields {
  private static final int READ = DeadheatLayout.MODE_READS | DeadheatLayout.MODE_PLAIN;
  private static final int WRITE = DeadheatLayout.MODE_WRITES | DeadheatLayout.MODE_PLAIN;
  private static final int ACQUIRE = DeadheatLayout.MODE_READS | DeadheatLayout.MODE_ACQUIRES;
  private static final int RELEASE = DeadheatLayout.MODE_WRITES | DeadheatLayout.MODE_RELEASES;

  private DeadheatFields() {}

  @Hidden
  public static void got(Field field, Object o, int site) {
    if (!DeadheatSync.attached()) return;
    initialised(field);
    DeadheatOffsets.after(base(field, o), offset(field), Modifier.isVolatile(field.getModifiers()) ? ACQUIRE : READ, site);
  }

  /** Before: a volatile field publishes what comes before. The access may still be refused, which is why a plain one is noted behind. */
  @Hidden
  public static void setting(Field field, Object o, int site) {
    if (field == null || !DeadheatSync.attached() || !Modifier.isVolatile(field.getModifiers()) || !mayHold(field, o)) return;
    DeadheatOffsets.before(base(field, o), offset(field), RELEASE, site);
  }

  @Hidden
  public static void set(Field field, Object o, int site) {
    if (!DeadheatSync.attached()) return;
    if (Modifier.isVolatile(field.getModifiers())) {
      initialised(field);
      return;
    }
    DeadheatOffsets.before(base(field, o), offset(field), WRITE, site);
  }

  /** The access may be the first use of its class by this thread. (Of a field that is written plainly the words tell.) */
  @Hidden
  private static void initialised(Field field) {
    if (Modifier.isStatic(field.getModifiers())) DeadheatInit.initialised(field.getDeclaringClass());
  }

  @Hidden
  static boolean mayHold(Field field, Object o) {
    return Modifier.isStatic(field.getModifiers()) || field.getDeclaringClass().isInstance(o);
  }

  @Hidden
  static Object base(Field field, Object o) {
    return Modifier.isStatic(field.getModifiers()) ? U.staticFieldBase(field) : o;
  }

  @Hidden
  static long offset(Field field) {
    return Modifier.isStatic(field.getModifiers()) ? U.staticFieldOffset(field) : U.objectFieldOffset(field);
  }
}
