// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.util.Arrays;
import java.util.function.IntSupplier;
import org.objectweb.asm.Opcodes;

/** Class files that javac does not write: old ones, large ones, odd ones, broken ones. */
public final class Bytecode {
  static final class Own extends ClassLoader {
    Class<?> define(String name, byte[] bytes) {
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  static void run(String name, byte[] bytes) {
    section(name, () -> {
      Class<?> type = new Own().define(null, bytes);
      IntSupplier made = (IntSupplier) type.getConstructor().newInstance();
      made.getAsInt();
      say(made.getAsInt());
      if (Arrays.stream(type.getDeclaredMethods()).anyMatch(m -> m.getName().equals("small"))) say(type.getMethod("small").invoke(null));
    });
  }

  static void garbage() {
    byte[] good = Generated.old(Opcodes.V11, "host/Good");
    define("empty", new byte[0]);
    define("short", Arrays.copyOf(good, 9));
    define("magic", new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    define("zeros", new byte[1000]);
    define("cut", Arrays.copyOf(good, good.length - 3));
    define("longer", Arrays.copyOf(good, good.length + 3));
    byte[] version = good.clone();
    version[7] = 99;
    define("version", version);
    damaged(good);
  }

  /** Each byte in turn is damaged: the outcome must be the same, whatever it is. */
  static void damaged(byte[] good) {
    section("damaged", () -> {
      int[] outcomes = new int[3];
      long hash = 0;
      for (int i = 8; i < good.length; i++) {
        for (int change : new int[] {0x01, 0x80, 0xff}) {
          byte[] bad = good.clone();
          bad[i] ^= change;
          String result;
          try {
            Class<?> type = new Own().define(null, bad);
            IntSupplier made = (IntSupplier) type.getConstructor().newInstance();
            result = type.getName() + made.getAsInt();
            outcomes[0]++;
          } catch (LinkageError e) {
            result = e.getClass() + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "").split("\n")[0];
            outcomes[1]++;
          } catch (Exception | OutOfMemoryError e) {
            result = e.getClass() + "";
            outcomes[2]++;
          }
          if (Boolean.getBoolean("host.all")) say(i + " " + change + " " + result);
          hash = hash * 31 + result.hashCode();
        }
      }
      say(Arrays.toString(outcomes) + " " + hash);
    });
  }

  static void define(String name, byte[] bytes) {
    section("garbage_" + name, () -> {
      try {
        say(new Own().define("host.Garbage", bytes));
      } catch (LinkageError e) {
        say(e.toString().replaceAll("@[0-9a-f]+", ""));
      }
    });
  }

  public static void main(String[] args) {
    run("version_45", Generated.old(Opcodes.V1_1, "host/Old"));
    for (int version = 46; version <= 61; version++) run("version_" + version, Generated.old(version, "host/Old"));
    for (int version = 46; version <= 49; version++) run("subroutine_" + version, Generated.subroutine(version, "host/Subroutine"));
    run("large_60000", Generated.large(Opcodes.V11, "host/Large", 60000));
    run("large_65535", Generated.large(Opcodes.V11, "host/Large", 65535));
    run("large_20000", Generated.large(Opcodes.V11, "host/Large", 20000));
    run("large_old", Generated.large(Opcodes.V1_3, "host/Large", 65535));
    for (int cases : new int[] {10, 1000, 2500, 3500}) run("table_switch_" + cases, Generated.large_switch("host/Switch", cases, true));
    for (int cases : new int[] {10, 1000, 1800, 2900}) run("lookup_switch_" + cases, Generated.large_switch("host/Switch", cases, false));
    run("many_fields_15000", Generated.many_fields("host/Fields", 15000));
    run("many_fields_30000", Generated.many_fields("host/Fields", 30000));
    run("full_pool_32600", Generated.full_pool("host/Pool", 32600));
    run("full_pool_32740", Generated.full_pool("host/Pool", 32740));
    run("odd_monitors", Generated.odd_monitors("host/Monitors", true));
    run("monitor_never_left", Generated.odd_monitors("host/Monitors", false));
    if (args.length == 0) garbage();
  }
}
