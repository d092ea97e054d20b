// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.lang.reflect.Field;
import jdk.internal.vm.annotation.Hidden;

/** Keeps the fields that the agent adds out of reflection's sight. */
public final class DeadheatReflection {
  private static final String PREFIX = "$dh$";

  private DeadheatReflection() {}

  /** In front of {@code Reflection.filterFields}: the fields without ours. */
  @Hidden
  public static Field[] visible(Field[] fields) {
    int ours = 0;
    for (Field field : fields) if (field.getName().startsWith(PREFIX)) ours++;
    if (ours == 0) return fields;
    Field[] visible = new Field[fields.length - ours];
    int at = 0;
    for (Field field : fields) if (!field.getName().startsWith(PREFIX)) visible[at++] = field;
    return visible;
  }
}
