// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntSupplier;

/** A Java agent beside ours: it looks at classes as they load, transforms them again later, and redefines them. */
public final class Premain {
  static Instrumentation instrumentation;
  static final Map<String, Integer> hashes = new TreeMap<>();

  public static void premain(String options, Instrumentation given) {
    instrumentation = given;
    given.addTransformer(new ClassFileTransformer() {
      @Override
      public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (name != null && name.startsWith("host/Loaders")) {
          synchronized (hashes) {
            hashes.put(name + (redefined == null ? "" : " again"), java.util.Arrays.hashCode(bytes));
          }
        }
        return null;
      }
    }, options.equals("retransform"));
  }

  public static void main(String[] args) {
    Loaders.Counter counter = new Loaders.Counter();
    section("works", () -> say(counter.getAsInt()));
    section("retransform", () -> {
      if (instrumentation.isRetransformClassesSupported()) instrumentation.retransformClasses(Loaders.Counter.class, java.util.ArrayList.class, Thread.class);
      say(counter.getAsInt());
    });
    section("redefine", () -> {
      instrumentation.redefineClasses(new ClassDefinition(Loaders.Counter.class, Loaders.bytesOf("host.Loaders$Counter")));
      say(counter.getAsInt() + " " + ((IntSupplier) new Loaders.Counter()).getAsInt());
    });
    section("redefine_jdk", () -> {
      byte[] bytes = Object.class.getResourceAsStream("/java/util/ArrayList.class").readAllBytes();
      instrumentation.redefineClasses(new ClassDefinition(java.util.ArrayList.class, bytes));
      java.util.List<Integer> list = new java.util.ArrayList<>(java.util.List.of(1, 2));
      list.add(3);
      say(list + " " + list.iterator().next());
    });
    section("members", () -> say(Reflect.members(Loaders.Counter.class)));
    section("module_change", () -> {
      instrumentation.redefineModule(Object.class.getModule(), Set.of(), Map.of(), Map.of("java.util", Set.of(Premain.class.getModule())), Set.of(), Map.of());
      say(Object.class.getModule().isOpen("java.util", Premain.class.getModule()));
    });
    // What the other agent sees are the class files as they are on disk.
    section("bytes_seen", () -> hashes.forEach((k, v) -> say(k + " " + v)));
    section("on_disk", () -> say(java.util.Arrays.hashCode(Loaders.bytesOf("host.Loaders$Counter"))));
  }
}
