// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.say;

import java.util.ArrayList;
import java.util.List;

/** Starts two JVMs as a test runner does, reads their output through pipes, and passes it on. */
public final class Forks {
  public static void main(String[] args) throws Exception {
    List<Process> children = new ArrayList<>();
    for (String how : new String[] {"thread_throws", "deep_exit"}) {
      children.add(new ProcessBuilder(args[0], "-XX:+UseSerialGC", "-cp", args[1], "host.Exits", how).redirectError(ProcessBuilder.Redirect.DISCARD).start());
    }
    for (Process child : children) {
      say(new String(child.getInputStream().readAllBytes()).trim());
      say(child.waitFor());
    }
    System.exit(5);
  }
}
