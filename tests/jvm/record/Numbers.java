// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;

/** Objects that a trace must know by one number, whichever of their classes an access is in, and clones that must have another. */
public class Numbers {
  static class Base {
    int base;
  }

  static class Derived extends Base {
    int derived;

    synchronized void lock() {
      derived++;
    }
  }

  static class List extends ArrayList<String> {
    int extra;
  }

  static class Worker extends Thread {
    int done;
  }

  static class Copied implements Cloneable {
    int value;

    Copied copy() throws CloneNotSupportedException {
      return (Copied) clone();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Derived derived = new Derived();
    derived.base = 1;
    derived.lock();
    List list = new List();
    list.extra = 1;
    list.add("x");
    Worker worker = new Worker();
    worker.done = 1;
    synchronized (worker) {
      worker.done = 2;
    }
    Copied first = new Copied();
    first.value = 1;
    Copied second = first.copy();
    second.value = 2;
    List other = (List) list.clone();
    other.extra = 2;
    System.out.println(derived.derived + list.size() + worker.done + first.value + second.value + other.extra);
  }
}
