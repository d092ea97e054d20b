// SPDX-License-Identifier: Apache-2.0
package host;

import static host.Sections.*;

import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** Default serialisation: "write FILE" and "read FILE", by JVMs with and without the agent. */
public final class Serial {
  static class Plain implements Serializable {
    private int number = 1;
    volatile long wide = 2;
    transient int hidden = 3;
    static int shared = 4;
    static volatile int sharedVolatile = 5;
    protected Object other = "text";
    int[] numbers = {6, 7};

    public synchronized void locked() {}

    static synchronized void lockedStatic() {}

    static {
      shared++;
    }
  }

  static class Child extends Plain {
    private static final long serialVersionUID = 99;
    String name = "child";
    private volatile Child next;

    private void writeObject(ObjectOutputStream out) throws java.io.IOException {
      out.defaultWriteObject();
      out.writeInt(name.length());
    }

    private void readObject(ObjectInputStream in) throws java.io.IOException, ClassNotFoundException {
      in.defaultReadObject();
      if (in.readInt() != name.length()) throw new java.io.InvalidObjectException("length");
    }
  }

  record Pair(int a, Object b) implements Serializable {}

  enum Kind {
    ONE,
    TWO;

    int uses;
  }

  static class Fields implements Serializable {
    private static final ObjectStreamField[] serialPersistentFields = {new ObjectStreamField("kept", int.class)};
    int kept = 4;
    int left = 5;
  }

  static Object all() {
    Child child = new Child();
    child.next = new Child();
    child.next.next = child;
    List<Object> list = new ArrayList<>(List.of(child, new Plain(), new Pair(3, "b"), Kind.TWO, new Fields(), new int[] {1, 2}, new String[][] {{"x"}}));
    list.add(new LinkedHashMap<>(java.util.Map.of("k", 1)));
    list.add(new TreeMap<>(java.util.Map.of("a", 1, "b", 2)));
    list.add(new LinkedList<>(List.of(1, 2, 3)));
    list.add(new HashMap<>(java.util.Map.of(1, new Date(5))));
    list.add(new ConcurrentHashMap<>(java.util.Map.of(1, 2)));
    list.add(new AtomicInteger(7));
    list.add(new ReentrantLock());
    list.add(new java.util.concurrent.CopyOnWriteArrayList<>(List.of(1)));
    list.add(new java.text.SimpleDateFormat("yyyy", java.util.Locale.ROOT).toPattern());
    list.add(new java.math.BigDecimal("1.50"));
    list.add(new StringBuilder("builder"));
    list.add(new Throwable("thrown").getMessage());
    list.add((Serializable & java.util.function.Supplier<String>) () -> "lambda");
    return list;
  }

  static void describe(Object o) {
    List<?> list = (List<?>) o;
    Child child = (Child) list.get(0);
    say(child.name + child.next.name + (child.next.next == child) + child.wide + child.hidden + Arrays.toString(child.numbers));
    for (Object each : list) {
      if (each instanceof java.util.function.Supplier<?> s) say(s.get());
      else if (each instanceof int[] n) say(Arrays.toString(n));
      else if (each instanceof Fields f) say(f.kept + " " + f.left);
      else if (each instanceof Plain || each instanceof String[][] || each instanceof ReentrantLock) say(each.getClass());
      else say(each);
    }
  }

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[1]);
    if (args[0].equals("write")) {
      section("uids", () -> {
        for (Class<?> type : new Class<?>[] {Plain.class, Child.class, Pair.class, Kind.class, Fields.class, ArrayList.class, HashMap.class, Thread.State.class, Throwable.class,
            java.util.Random.class, java.util.Locale.class, ConcurrentHashMap.class, java.text.DecimalFormat.class, java.util.concurrent.ForkJoinTask.class,
            java.util.concurrent.ArrayBlockingQueue.class, java.util.GregorianCalendar.class, java.net.InetAddress.class}) {
          ObjectStreamClass described = ObjectStreamClass.lookupAny(type);
          say(described + " " + Arrays.toString(described.getFields()));
        }
      });
      section("bytes", () -> {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
          out.writeObject(all());
        }
        Files.write(file, bytes.toByteArray());
        say(HexFormat.of().formatHex(bytes.toByteArray()));
      });
    } else {
      section("read", () -> {
        try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
          describe(in.readObject());
        }
      });
    }
  }
}
