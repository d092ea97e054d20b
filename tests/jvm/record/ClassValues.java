// SPDX-License-Identifier: Apache-2.0

/** Two threads ask for a class value, which one of them computes, or both at once: each says whether it has. */
public class ClassValues {
  private static final ThreadLocal<Boolean> COMPUTES = ThreadLocal.withInitial(() -> false);
  private static final ClassValue<String> NAME = new ClassValue<>() {
    @Override
    protected String computeValue(Class<?> type) {
      COMPUTES.set(true);
      return type.getName();
    }
  };

  public static void main(String[] arguments) throws InterruptedException {
    String[] says = new String[2];
    Thread[] threads = new Thread[2];
    for (int i = 0; i < 2; i++) {
      int number = i;
      threads[i] = new Thread(() -> {
        NAME.get(ClassValues.class);
        says[number] = COMPUTES.get() ? "computes" : "finds";
      });
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    System.out.println(says[0] + " " + says[1]);
  }
}
