// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

/** What a child process inherits: descriptors, environment, working directory. */
public final class Descriptors {
  public static void main(String[] args) {
    section("descriptors", () -> {
      Process child = new ProcessBuilder("sh", "-c", "for f in /proc/$$/fd/*; do echo ${f##*/}; done; pwd | sed 's,.*/,,' | wc -l").start();
      say(new String(child.getInputStream().readAllBytes()));
      say(child.waitFor());
    });
    section("environment", () -> say(System.getenv().containsKey("LD_PRELOAD") + " " + System.getenv().keySet().stream().filter(k -> k.contains("JAVA")).toList()));
    section("properties", () -> say(System.getProperties().stringPropertyNames().stream().filter(k -> !k.startsWith("jdk.")).sorted().toList()));
    section("arguments", () -> say(ProcessHandle.current().info().command().isPresent()));
    section("mask", () -> say(new java.io.File("made").createNewFile() + " " + new java.io.File("made").length()));
  }
}
