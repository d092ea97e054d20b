// SPDX-License-Identifier: Apache-2.0
package history;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import sun.misc.Unsafe;

/**
 * Two threads, one wholly after the other by an order the agent does not see, each of which does the same things. Every line below that
 * touches a field of {@code Box} is the previous access of a race, and stacks.py knows the stack that belongs to it by heart: the
 * comments {@code at} name the lines.
 */
public final class Stacks {
  static final class Box {
    int recursion, dispatch, lambda, handler, callback, pool, constructor, rolled, twice, looped, summed;
  }

  static class Shape {
    void draw() {
      paint();  // at draw
    }

    void paint() {}
  }

  static final class Circle extends Shape {
    @Override
    void paint() {
      box.dispatch++;  // at paint
    }
  }

  static final class Made {
    Made() {
      box.constructor++;  // at made
    }
  }

  static final Box box = new Box();
  static final Box other = new Box();
  static final HashMap<String, Integer> map = new HashMap<>();

  static void recurse(int depth) {
    if (depth == 0) {
      box.recursion++;  // at bottom
    } else {
      recurse(depth - 1);  // at deeper
    }
  }

  static void call(Runnable body) {
    body.run();  // at call
  }

  static void fail(int depth) {
    if (depth > 0) fail(depth - 1);
    throw new IllegalStateException();
  }

  static void afterFailure() {
    try {
      fail(3);
    } catch (IllegalStateException e) {
      touchHandler();  // at caught
    }
  }

  static void touchHandler() {
    box.handler++;  // at handler
  }

  static void inPool() {
    box.pool++;  // at pool
  }

  static void roll() {
    box.rolled++;  // at rolled
  }

  static void touch(Box any) {
    any.twice++;  // at touch
  }

  /** Its loop makes no calls: such methods leave the context of their caller in another way. */
  static int sum(int depth) {
    int sum = depth == 0 ? 0 : sum(depth - 1);  // at inner
    for (int i = 0; i < 3; i++) {
      box.looped += i;  // at looped
    }
    return sum + depth;
  }

  static void add() {
    if (sum(2) != 3) throw new AssertionError();  // at sum
    box.summed++;  // at summed
  }

  static void everything() {
    roll();  // at roll
    recurse(4);  // at recurse
    new Circle().draw();  // at circle
    call(() -> { box.lambda++; });  // at lambda
    afterFailure();  // at failure
    List<Integer> list = new ArrayList<>(List.of(2, 1));
    list.sort((a, b) -> { box.callback++; return a - b; });  // at sort
    new Made();  // at new
    map.put("key", 1);  // at put
    add();  // at add
    touch(box);  // at one
    touch(other);  // the same place with nothing in between that orders: the race on the one must not show this call
  }

  public static void main(String[] arguments) throws Exception {
    Turn.set(63);
    everything();  // loads and links what is needed: that synchronises
    inPool();
    Runnable task = () -> {
      Turn.await(Turn.LATER_IS_HERE);
      inPool();  // at task
      Turn.set(Turn.TASK_IS_DONE);
    };
    Runnable laterTask = () -> {
      Turn.set(Turn.LATER_IS_HERE);
      Turn.await(Turn.TASK_IS_DONE);
      inPool();  // at later
    };
    Runnable before = () -> {
      Turn.await(Turn.SECOND_IS_HERE);  // starting it synchronises
      everything();
      Turn.set(Turn.FIRST_IS_DONE);
      Turn.await(Turn.SECOND_IS_DONE);
    };
    Runnable after = () -> {
      Turn.set(Turn.SECOND_IS_HERE);
      Turn.await(Turn.FIRST_IS_DONE);
      everything();
      Turn.set(Turn.SECOND_IS_DONE);
    };
    Thread first = new Thread(before, "first");
    Thread second = new Thread(after, "second");
    first.start();
    second.start();
    first.join();
    second.join();

    ExecutorService one = Executors.newFixedThreadPool(1);
    ExecutorService two = Executors.newFixedThreadPool(1);
    two.execute(laterTask);
    one.execute(task);
    one.shutdown();
    two.shutdown();
  }

  /** Flags in native memory, accessed in a mode that orders nothing. */
  static final class Turn {
    private static final Unsafe U = unsafe();
    private static final int SIZE = 64;
    private static final long FLAGS = U.allocateMemory(SIZE);
    static final int SECOND_IS_HERE = 0;
    static final int FIRST_IS_DONE = 8;
    static final int SECOND_IS_DONE = 16;
    static final int LATER_IS_HERE = 24;
    static final int TASK_IS_DONE = 32;

    static {
      U.setMemory(FLAGS, SIZE, (byte) 0);
    }

    static void set(int flag) {
      U.setMemory(FLAGS + flag, 1, (byte) 1);
    }

    static void await(int flag) {
      while (U.getByte(FLAGS + flag) == 0) Thread.yield();
    }

    private static Unsafe unsafe() {
      try {
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return (Unsafe) field.get(null);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
