// SPDX-License-Identifier: Apache-2.0
package host;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.module.ModuleReader;
import java.util.List;

/** Loads as many classes of the Java compiler as it is told, and prints how far the VM inlines now, and how much room it has for survivors. */
public final class VmSettings {
  public static void main(String[] arguments) throws IOException {
    try (ModuleReader reader = ModuleLayer.boot().configuration().findModule("jdk.compiler").orElseThrow().reference().open()) {
      List<String> classes = reader.list().filter(name -> name.endsWith(".class") && name.contains("/")).limit(Integer.parseInt(arguments[0])).toList();
      for (String name : classes) load(name.substring(0, name.length() - ".class".length()).replace('/', '.'));
    }
    HotSpotDiagnosticMXBean vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    for (String flag : List.of("FreqInlineSize", "InlineSmallCode", "SurvivorRatio", "TargetSurvivorRatio")) System.out.println(flag + "=" + vm.getVMOption(flag).getValue());
  }

  private static void load(String name) {
    try {
      Class.forName(name, false, ClassLoader.getSystemClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
