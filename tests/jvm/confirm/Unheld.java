// SPDX-License-Identifier: Apache-2.0
package confirm;

import java.lang.ref.Cleaner;

/** Accesses at which no thread can be held: in a class initialiser, and by a thread of the JDK's own. */
public final class Unheld {
  static int initialised, cleaned;
  static volatile boolean done;

  private Unheld() {}

  private static final class Late {
    static {
      initialised = 1;
    }

    static void use() {}
  }

  public static void main(String[] arguments) throws Exception {
    Thread first = new Thread(Late::use), second = new Thread(() -> initialised = 2);
    first.start();
    second.start();
    first.join();
    second.join();
    register(Cleaner.create());
    for (int i = 0; i < 1000 && !done; i++) {
      cleaned = 2;
      System.gc();
    }
  }

  private static void register(Cleaner cleaner) {
    cleaner.register(new Object(), () -> {
      cleaned = 1;
      done = true;
    });
  }
}
