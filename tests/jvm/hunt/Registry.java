// SPDX-License-Identifier: Apache-2.0
package hunt;

/** Two edges in a row, over a third thread, through synchronized methods that the locks' classes inherit. Who comes before there is anything to do goes away. */
public final class Registry {
  private abstract static class Guarded {
    private int visits;

    synchronized void visit() {
      visits++;
    }
  }

  private static final class Names extends Guarded {}

  private static final class Addresses extends Guarded {}

  private final Names names = new Names();
  private final Addresses addresses = new Addresses();
  private volatile boolean open, copying;
  private int newest;

  private void register() {
    Work.milliseconds(5);
    open = true;
    newest = 1;
    names.visit();
  }

  private void copy() {
    Work.milliseconds(90);
    if (!open) return;
    copying = true;
    names.visit();
    addresses.visit();
  }

  private void print() {
    Work.milliseconds(200);
    if (!copying) return;
    addresses.visit();
    if (newest > 1) throw new AssertionError();
  }

  public static void main(String[] arguments) throws InterruptedException {
    Registry registry = new Registry();
    Thread[] threads = {
      new Thread(registry::print, "printer"), new Thread(registry::copy, "copier"), new Thread(registry::register, "registrar")
    };
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
    System.out.println("registered");
  }
}
