// SPDX-License-Identifier: Apache-2.0
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** Asks again and again, without a pause, until another thread is in some state or some time has come. A thread that is held must look as it would without us. */
public class Polling {
  private static volatile boolean go;

  /** Whose static type is not Thread. */
  static final class Worker extends Thread {
    Worker(Runnable body) {
      super(body);
    }
  }

  static Worker start(Runnable body) {
    Worker worker = new Worker(body);
    if (worker.getState() != Thread.State.NEW) throw new IllegalStateException("started before it was: " + worker.getState());
    worker.start();
    return worker;
  }

  static void until(Worker worker, Thread.State state) {
    while (worker.getState() != state) {}
  }

  static void until(Thread thread, Thread.State state, Thread.State... passed) {
    for (Thread.State now = thread.getState(); now != state; now = thread.getState()) {
      boolean known = now == Thread.State.RUNNABLE;
      for (Thread.State other : passed) known |= now == other;
      if (!known) throw new IllegalStateException(now + " on the way to " + state);
    }
  }

  static void states() throws Exception {
    Object lock = new Object();
    Worker parked = start(() -> {
      while (!go) LockSupport.park();
    });
    until(parked, Thread.State.WAITING);
    go = true;
    LockSupport.unpark(parked);
    until(parked, Thread.State.TERMINATED);

    Worker sleeper = start(() -> {
      try {
        Thread.sleep(Long.MAX_VALUE);  // for its state, TIMED_WAITING, which is looked at; it is interrupted, never slept out
      } catch (InterruptedException e) {
        say("woken");
      }
    });
    until(sleeper, Thread.State.TIMED_WAITING);
    sleeper.interrupt();
    until((Thread) sleeper, Thread.State.TERMINATED, Thread.State.TIMED_WAITING);

    Worker waiter;
    Worker blocked;
    synchronized (lock) {
      waiter = start(() -> {
        synchronized (lock) {
          try {
            lock.wait();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      });
      until(waiter, Thread.State.BLOCKED);
    }
    until((Thread) waiter, Thread.State.WAITING, Thread.State.BLOCKED);
    synchronized (lock) {
      blocked = start(() -> {
        synchronized (lock) {
          say("in");
        }
      });
      until((Thread) blocked, Thread.State.BLOCKED);
      lock.notify();
      until((Thread) waiter, Thread.State.BLOCKED);
    }
    until((Thread) waiter, Thread.State.TERMINATED, Thread.State.BLOCKED);
    until((Thread) blocked, Thread.State.TERMINATED, Thread.State.BLOCKED);

    Semaphore none = new Semaphore(0);
    Worker acquirer = start(none::acquireUninterruptibly);
    until(acquirer, Thread.State.WAITING);
    none.release();
    while (acquirer.isAlive()) {}
    say("states");
  }

  static void clocks() {
    long nanos = System.nanoTime();
    while (System.nanoTime() - nanos < 2_000_000) {}
    long millis = System.currentTimeMillis();
    while (System.currentTimeMillis() - millis < 5) {}
    Instant then = Instant.now();
    if (Math.abs(then.toEpochMilli() - System.currentTimeMillis()) > 1) throw new IllegalStateException("two clocks");
    while (!Instant.now().isAfter(then.plusMillis(3))) {}
    say("clocks");
  }

  static synchronized void say(String text) {
    System.out.println(text);
  }

  public static void main(String[] args) throws Exception {
    states();
    clocks();
    say("state of mine: " + Thread.currentThread().getState());
  }
}
