// SPDX-License-Identifier: Apache-2.0
package hunt;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** One edge through {@link Collections#synchronizedMap}: the map is safe, what is set beside it is not. A user that comes too early does without. */
public final class Settings {
  private final Map<String, Integer> map = Collections.synchronizedMap(new HashMap<>());
  private volatile boolean loading;
  private int version;

  private void load() {
    Work.milliseconds(5);
    loading = true;
    version = 1;
    map.put("timeout", 30);
  }

  private void use() {
    Work.milliseconds(120);
    if (!loading) return;
    map.get("timeout");
    if (version > 1) throw new AssertionError();
  }

  public static void main(String[] arguments) throws InterruptedException {
    Settings settings = new Settings();
    Thread[] threads = {new Thread(settings::use, "user"), new Thread(settings::load, "loader")};
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    System.out.println(settings.map);
  }
}
