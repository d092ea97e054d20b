// SPDX-License-Identifier: Apache-2.0
package host;

/** What the debugger is pointed at; the lines are marked for it. */
public final class Debuggee {
  static int shared = 1;
  private int count;
  private final int[] numbers = {1, 2, 3};
  private String name = "debuggee";

  synchronized int add(int amount) {
    count += amount; // line: add
    numbers[1] += count;
    shared++;
    return count + numbers[1];
  }

  int hashed(int amount) {
    return count * 31 + amount;
  }

  int outer(int amount) {
    int before = add(amount);
    synchronized (numbers) {
      before += add(amount + 1);
    }
    return before; // line: return
  }

  public static void main(String[] args) {
    Debuggee debuggee = new Debuggee();
    int result = debuggee.outer(5);
    System.out.println(result + " " + shared + " " + debuggee.name);
  }
}
