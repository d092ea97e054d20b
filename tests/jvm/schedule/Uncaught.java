// SPDX-License-Identifier: Apache-2.0
public class Uncaught {
  public static void main(String[] args) throws Exception {
    Thread thread = new Thread(() -> {
      throw new IllegalStateException("on purpose");
    }, "thrower");
    thread.start();
    thread.join();
    System.exit(7);
  }
}
