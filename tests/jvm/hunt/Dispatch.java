// SPDX-License-Identifier: Apache-2.0
package hunt;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Tasks of a thread pool; two locks in a row, each of which hides the race alone. A receiver that finds the counter closed goes away. */
public final class Dispatch {
  private static final class Journal {
    int lines;

    synchronized void write() {
      lines++;
    }
  }

  private static final class Meter {
    int ticks;

    synchronized void tick() {
      ticks++;
    }
  }

  private final Journal journal = new Journal();
  private final Meter meter = new Meter();
  private volatile boolean open;
  private int parcel;

  private void send() {
    Work.milliseconds(5);
    open = true;
    parcel = 1;
    journal.write();
    Work.milliseconds(1);
    meter.tick();
  }

  private void receive() {
    Work.milliseconds(120);
    if (!open) return;
    journal.write();
    Work.milliseconds(1);
    meter.tick();
    if (parcel > 1) throw new AssertionError();
  }

  public static void main(String[] arguments) throws InterruptedException {
    Dispatch dispatch = new Dispatch();
    ExecutorService pool = Executors.newFixedThreadPool(2);
    pool.execute(dispatch::receive);
    pool.execute(dispatch::send);
    pool.shutdown();
    if (!pool.awaitTermination(1, TimeUnit.MINUTES)) throw new AssertionError("the pool does not end");
    System.out.println(dispatch.journal.lines + " " + dispatch.meter.ticks);
  }
}
