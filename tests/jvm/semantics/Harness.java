// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.io.File;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Runs cases: {@code Harness list} names them all, one a line: name, variables of the race, whether alone, JVM options. {@code Harness ab|ba CASE…} runs
 * each of those once, A first or B first, and says on standard output where it is.
 */
public final class Harness {
  private Harness() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 1 && arguments[0].equals("list")) {
      list();
      return;
    }
    int first = arguments[0].equals("ba") ? Order.B : Order.A;
    for (String name : Arrays.asList(arguments).subList(1, arguments.length)) {
      System.out.println("begin " + name);
      run(Class.forName("semantics." + name.replace('.', '$')), first);
      System.out.println("end " + name);
    }
  }

  private static void list() throws Exception {
    List<String> lines = new ArrayList<>();
    for (String folder : System.getProperty("java.class.path").split(File.pathSeparator)) {
      String[] files = new File(folder, "semantics").list((at, file) -> file.endsWith("Cases.class"));
      if (files == null) throw new IllegalStateException("no classes in " + folder);
      for (String file : files) {
        String group = file.substring(0, file.length() - ".class".length());
        for (Class<?> type : Class.forName("semantics." + group).getDeclaredClasses()) {
          if (type.getSimpleName().matches(".*_(no)?race")) lines.add(describe(group, type));
        }
      }
    }
    Collections.sort(lines);
    for (String line : lines) System.out.println(line);
  }

  private static String describe(String group, Class<?> type) {
    Case.Racy racy = type.getAnnotation(Case.Racy.class);
    Case.Alone alone = type.getAnnotation(Case.Alone.class);
    boolean races = type.getSimpleName().endsWith("_race");
    if (races != (racy != null)) throw new IllegalStateException(type + ": its name and @Racy disagree");
    return group + "." + type.getSimpleName() + "\t" + (races ? String.join(",", racy.value()) : "") + "\t"
        + (alone == null ? "\t" : "alone\t" + String.join(" ", alone.value()));
  }

  private static void run(Class<?> type, int first) throws Exception {
    Constructor<?> constructor = type.getDeclaredConstructor();
    if (!type.isAnnotationPresent(Case.Cold.class) && Case.Pair.class.isAssignableFrom(type)) {
      warm((Case.Pair) constructor.newInstance());
    }
    Case one = (Case) constructor.newInstance();
    Order.reset(first);
    one.setup();
    if (one instanceof Case.Pair) {
      run((Case.Pair) one, first);
    } else {
      ((Case.Solo) one).run();
    }
    one.cleanup();
  }

  private static void warm(Case.Pair pair) throws Exception {
    pair.threadA = pair.threadB = Thread.currentThread();
    pair.setup();
    pair.a();
    pair.b();
    Thread.interrupted();
    pair.cleanup();
  }

  private static void run(Case.Pair pair, int first) throws Exception {
    boolean hands = pair instanceof Case.Handoff;
    Actor a = new Actor(pair, Order.A);
    Actor b = new Actor(pair, Order.B);
    pair.threadA = a;
    pair.threadB = b;
    a.start();
    b.start();
    if (hands) {
      Thread ahead = first == Order.A ? a : b;
      while (!Order.hasLeft(first) && !isBlocked(ahead.getState())) Thread.yield();
      Order.leave(first);
    }
    Order.awaitBothDone();
    a.join();
    b.join();
    for (Actor actor : new Actor[] {a, b}) {
      if (actor.thrown != null) throw new AssertionError(actor.getName(), actor.thrown);
    }
  }

  private static boolean isBlocked(Thread.State state) {
    return state != Thread.State.NEW && state != Thread.State.RUNNABLE;
  }

  private static final class Actor extends Thread {
    private final Case.Pair pair;
    private final int who;
    Throwable thrown;

    Actor(Case.Pair pair, int who) {
      super(pair.getClass().getSimpleName() + "/" + "AB".charAt(who));
      this.pair = pair;
      this.who = who;
    }

    @Override
    public void run() {
      Order.enter(who);
      try {
        if (who == Order.A) {
          pair.a();
        } else {
          pair.b();
        }
      } catch (Throwable t) {
        thrown = t;
      }
      Order.leave(who);
      Order.done(who);
      Order.awaitBothDone();
    }
  }
}
