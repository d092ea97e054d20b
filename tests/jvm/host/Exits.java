// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.say;

import java.lang.ref.Cleaner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Ways to end a JVM; the argument names one. */
public final class Exits {
  static int counter;
  static volatile boolean running = true;
  static final Object lock = new Object();

  static final class AtStart {
    static int value = leave();

    static int leave() {
      System.exit(11);
      return 1;
    }
  }

  static final class BadStart {
    static int value = 1 / (counter - counter);
  }

  static final class Finalized {
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    protected void finalize() {
      counter++;
      System.exit(12);
    }
  }

  /** Threads that keep the hooks busy while the VM goes away. */
  static void busy(int count) throws InterruptedException {
    CountDownLatch started = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(() -> {
        int[] numbers = new int[100];
        java.util.HashMap<Integer, Integer> map = new java.util.HashMap<>();
        started.countDown();
        for (int n = 0; running; n++) {
          numbers[n % 100]++;
          map.put(n % 50, n);
          synchronized (lock) {
            counter++;
          }
          synchronized (new Object()) {
            new Thread(() -> counter++).getName();
          }
        }
      });
      thread.setDaemon(true);
      thread.start();
    }
    started.await();
  }

  static void hook(String name, Runnable body) {
    Runtime.getRuntime().addShutdownHook(new Thread(body, name));
  }

  static void collectUntilTheEnd() throws InterruptedException {
    for (;;) {
      System.gc();
      byte[] garbage = new byte[1 << 20];
      garbage[0] = 1;
      Thread.yield();
    }
  }

  public static void main(String[] args) throws Exception {
    say("begin");
    switch (args[0]) {
      case "return" -> say("return");
      case "exit" -> System.exit(7);
      case "halt" -> Runtime.getRuntime().halt(8);
      case "exit_in_synchronized" -> {
        synchronized (lock) {
          synchronized (Exits.class) {
            System.exit(9);
          }
        }
      }
      case "exit_in_initialiser" -> say(AtStart.value);
      case "exit_in_finalizer" -> {
        new Finalized();
        collectUntilTheEnd();
      }
      case "exit_in_cleaner" -> {
        Cleaner.create().register(new Object(), () -> System.exit(13));
        collectUntilTheEnd();
      }
      case "halt_in_hook" -> {
        hook("halts", () -> {
          say("hook");
          System.out.flush();
          Runtime.getRuntime().halt(14);
        });
        System.exit(15);
      }
      case "hook_works" -> {
        busy(2);
        hook("works", () -> {
          java.util.TreeMap<Integer, int[]> map = new java.util.TreeMap<>();
          for (int i = 0; i < 1000; i++) map.put(i, new int[] {i});
          synchronized (map) {
            say(map.size() + " " + map.get(77)[0]);
          }
        });
        System.exit(16);
      }
      case "hook_throws" -> {
        hook("throws", () -> {
          throw new IllegalStateException("from a hook");
        });
        System.exit(17);
      }
      case "exit_while_busy" -> {
        busy(6);
        System.exit(18);
      }
      case "halt_while_busy" -> {
        busy(6);
        Runtime.getRuntime().halt(19);
      }
      case "return_while_busy" -> busy(6);
      case "exit_in_thread" -> {
        new Thread(() -> System.exit(20)).start();
        synchronized (lock) {
          lock.wait();
        }
      }
      case "exit_in_handler" -> {
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> {
          say(t.getName() + " " + e);
          System.exit(21);
        });
        throw new Exception("unhandled");
      }
      case "throws" -> {
        hook("after", () -> say("hook"));
        throw new IllegalStateException("from main", new RuntimeException("cause"));
      }
      case "throws_out_of_synchronized" -> {
        synchronized (lock) {
          int[] none = counter == 0 ? null : new int[1];
          say(none[0]);
        }
      }
      case "throws_in_initialiser" -> say(BadStart.value);
      case "thread_throws" -> {
        Thread thread = new Thread(() -> {
          throw new IllegalArgumentException("from a thread");
        }, "thrower");
        thread.start();
        thread.join();
        say("main goes on");
      }
      case "thread_overflows" -> {
        Thread thread = new Thread(Exits::recurse, "recurses");
        thread.setUncaughtExceptionHandler((t, e) -> say(t.getName() + " " + e.getClass()));
        thread.start();
        thread.join();
      }
      case "others_go_on" -> {
        Thread other = new Thread(() -> {
          while (Thread.currentThread().isInterrupted() || running) {
            synchronized (lock) {
              if (counter > 0) break;
            }
          }
          say("last");
        });
        other.start();
        synchronized (lock) {
          counter = 1;
        }
      }
      case "deep_exit" -> descend(0);
      case "wait_for_signal" -> {
        AtomicBoolean hooked = new AtomicBoolean();
        hook("signalled", () -> {
          hooked.set(true);
          say("hook " + hooked);
        });
        busy(2);
        say("ready");
        System.out.flush();
        synchronized (Exits.class) {
          Exits.class.wait();
        }
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
    say("end of main");
  }

  static int recurse() {
    return counter++ + recurse();
  }

  static synchronized void descend(int depth) {
    if (depth == 500) System.exit(22);
    descend(depth + 1);
  }
}
