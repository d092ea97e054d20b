// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;

/** Maps, sets and lists made for sharing: they publish what is put in, and race nowhere inside. */
final class ConcurrentMapCases {

  static final class PutGet_norace extends Case.Pair {
    final Map<String, int[]> map = new ConcurrentHashMap<>();
    int seen;
    void a() { int[] box = {0}; box[0] = 1; map.put("k", box); }
    void b() { int[] box = map.get("k"); if (box != null) seen = box[0]; }
  }

  @Case.Racy("x")
  static final class AfterPut_race extends Case.Pair {
    final Map<String, String> map = new ConcurrentHashMap<>();
    int x;
    void a() { map.put("k", "a"); x = 1; }
    void b() { map.get("k"); x = 2; }
  }

  /** Another bin: looking there says nothing about this one. */
  @Case.Racy("x")
  static final class OtherKey_race extends Case.Pair {
    final Map<Integer, String> map = new ConcurrentHashMap<>();
    int x;
    void setup() { map.put(1, "one"); map.put(2, "two"); }
    void a() { x = 1; map.put(1, "a"); }
    void b() { map.get(2); x = 2; }
  }

  static final class PutIfAbsent_norace extends Case.Pair {
    final Map<String, int[]> map = new ConcurrentHashMap<>();
    int add() { int[] fresh = {1}; int[] old = map.putIfAbsent("k", fresh); return old == null ? 0 : old[0]; }
    void a() { add(); }
    void b() { add(); }
  }

  static final class ComputeIfAbsent_norace extends Case.Pair {
    final Map<String, int[]> map = new ConcurrentHashMap<>();
    int add() { return map.computeIfAbsent("k", key -> new int[] {1})[0]; }
    void a() { add(); }
    void b() { add(); }
  }

  /** compute() runs its function under the bin's lock. */
  static final class Compute_norace extends Case.Pair {
    final Map<String, String> map = new ConcurrentHashMap<>();
    int x;
    void a() { map.compute("k", (key, old) -> { x++; return "a"; }); }
    void b() { map.compute("k", (key, old) -> { x++; return "b"; }); }
  }

  static final class Merge_norace extends Case.Pair {
    final Map<String, Integer> map = new ConcurrentHashMap<>();
    int x;
    void setup() { map.put("k", 0); }
    void a() { map.merge("k", 1, (old, one) -> { x++; return old + one; }); }
    void b() { map.merge("k", 1, (old, one) -> { x++; return old + one; }); }
  }

  @Case.Racy("x")
  static final class ComputeOfTwoKeys_race extends Case.Pair {
    final Map<Integer, Integer> map = new ConcurrentHashMap<>();
    int x;
    void setup() { map.put(1, 0); map.put(2, 0); }
    void a() { map.computeIfPresent(1, (key, old) -> { x++; return old + 1; }); }
    void b() { map.computeIfPresent(2, (key, old) -> { x++; return old + 1; }); }
  }

  static final class Remove_norace extends Case.Pair {
    final ConcurrentHashMap<String, int[]> map = new ConcurrentHashMap<>();
    int sum;
    void a() { int[] box = {1}; map.put("k", box); }
    void b() { int[] box = map.remove("k"); if (box != null) sum += ++box[0]; }
  }

  static final class Iterate_norace extends Case.Pair {
    final ConcurrentHashMap<Integer, int[]> map = new ConcurrentHashMap<>();
    int sum;
    void a() { for (int i = 0; i < 20; i++) map.put(i, new int[] {i}); }
    void b() { for (Map.Entry<Integer, int[]> e : map.entrySet()) sum += e.getValue()[0]; sum += map.size(); map.forEach((k, v) -> sum += v[0]); }
  }

  static final class GrowAndGet_norace extends Case.Pair {
    final ConcurrentHashMap<Integer, int[]> map = new ConcurrentHashMap<>(4);
    int sum;
    void a() { for (int i = 0; i < 500; i++) map.put(i, new int[] {i}); }
    void b() { for (int i = 0; i < 500; i++) { int[] found = map.get(i); if (found != null) sum += found[0]; } }
  }

  static final class Colliding_norace extends Case.Pair {
    record Key(int number) implements Comparable<Key> {
      @Override public int hashCode() { return 1; }
      @Override public int compareTo(Key other) { return Integer.compare(number, other.number); }
    }
    final ConcurrentHashMap<Key, int[]> map = new ConcurrentHashMap<>(64);
    int sum;
    void a() { for (int i = 0; i < 30; i++) map.put(new Key(i), new int[] {i}); }
    void b() { for (int i = 0; i < 30; i++) { int[] found = map.get(new Key(i)); if (found != null) sum += found[0]; } }
  }

  static final class KeySetView_norace extends Case.Pair {
    final java.util.Set<String> set = ConcurrentHashMap.newKeySet();
    int x;
    void a() { x = 1; set.add("k"); }
    void b() { if (set.contains("k")) x = 2; }
  }

  static final class SkipListMap_norace extends Case.Pair {
    final ConcurrentSkipListMap<Integer, int[]> map = new ConcurrentSkipListMap<>();
    int sum;
    void a() { for (int i = 0; i < 30; i++) map.put(i, new int[] {i}); }
    void b() { for (int[] box : map.values()) sum += box[0]; Map.Entry<Integer, int[]> first = map.firstEntry(); if (first != null) sum += first.getValue()[0]; }
  }

  @Case.Racy("x")
  static final class AfterSkipListPut_race extends Case.Pair {
    final ConcurrentSkipListMap<String, String> map = new ConcurrentSkipListMap<>();
    int x;
    void a() { map.put("k", "a"); x = 1; }
    void b() { map.get("k"); x = 2; }
  }

  static final class SkipListSet_norace extends Case.Pair {
    final ConcurrentSkipListSet<Integer> set = new ConcurrentSkipListSet<>();
    int x;
    void a() { x = 1; set.add(1); }
    void b() { if (set.contains(1)) x = 2; }
  }

  static final class CopyOnWriteList_norace extends Case.Pair {
    final List<int[]> list = new CopyOnWriteArrayList<>();
    int sum;
    void a() { list.add(new int[] {1}); list.add(new int[] {2}); }
    void b() { for (int[] box : list) sum += box[0]; list.removeIf(box -> box[0] > 1); }
  }

  @Case.Racy("x")
  static final class AfterCopyOnWriteAdd_race extends Case.Pair {
    final List<String> list = new CopyOnWriteArrayList<>();
    int x;
    void a() { list.add("a"); x = 1; }
    void b() { list.size(); x = 2; }
  }

  static final class CopyOnWriteSet_norace extends Case.Pair {
    final java.util.Set<String> set = new CopyOnWriteArraySet<>();
    int x;
    void a() { x = 1; set.add("k"); }
    void b() { if (set.contains("k")) x = 2; }
  }

  // ---- synchronised wrappers -------------------------------------------------------------------------------------------------

  static final class SynchronizedMap_norace extends Case.Pair {
    final Map<String, int[]> map = Collections.synchronizedMap(new HashMap<>());
    int sum;
    void a() { map.put("k", new int[] {1}); }
    void b() { int[] box = map.get("k"); if (box != null) sum += box[0]; map.put("j", null); synchronized (map) { for (String k : map.keySet()) sum += k.length(); } }
  }

  static final class SynchronizedList_norace extends Case.Pair {
    final List<String> list = Collections.synchronizedList(new java.util.ArrayList<>());
    void a() { list.add("a"); list.indexOf("b"); }
    void b() { list.add("b"); list.forEach(s -> s.length()); }
  }

  /** Iteration over a synchronised list is the caller's to lock. */
  @Case.Racy("java.util.ArrayList")
  static final class SynchronizedListIteration_race extends Case.Pair {
    final List<String> list = Collections.synchronizedList(new java.util.ArrayList<>());
    int sum;
    void setup() { list.add("first"); }
    void a() { list.add("a"); }
    void b() { java.util.Iterator<String> i = list.iterator(); while (i.hasNext()) sum += i.next().length(); }
  }

  static final class Hashtable_norace extends Case.Pair {
    final Hashtable<String, int[]> table = new Hashtable<>();
    int sum;
    void a() { table.put("a", new int[] {1}); }
    void b() { table.put("b", new int[] {1}); int[] box = table.get("a"); if (box != null) sum += box[0]; }
  }

  static final class Vector_norace extends Case.Pair {
    final java.util.Vector<String> vector = new java.util.Vector<>();
    void a() { vector.add("a"); vector.size(); }
    void b() { vector.add("b"); vector.contains("a"); }
  }

  static final class StackOfVector_norace extends Case.Pair {
    final java.util.Stack<String> stack = new java.util.Stack<>();
    void a() { stack.push("a"); }
    void b() { stack.push("b"); stack.pop(); }
  }

  static final class StringBuffer_norace extends Case.Pair {
    final StringBuffer buffer = new StringBuffer();
    void a() { buffer.append("a").append(1); }
    void b() { buffer.append("b").append(2.5).reverse().toString(); }
  }

  static final class Properties_norace extends Case.Pair {
    final java.util.Properties properties = new java.util.Properties();
    void a() { properties.setProperty("a", "1"); properties.getProperty("b"); }
    void b() { properties.setProperty("b", "1"); properties.getProperty("a"); }
  }

  static final class Random_norace extends Case.Pair {
    final java.util.Random random = new java.util.Random(1);
    void a() { random.nextInt(); random.nextLong(); }
    void b() { random.nextInt(); random.nextDouble(); }
  }
}
