// SPDX-License-Identifier: Apache-2.0
// Long because every case needs sites of its own.
package semantics;

import java.text.DecimalFormat;
import java.text.SimpleDateFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;

/** JDK collections and formats used by two threads: without a lock each one races, with a lock none does. */
final class CollectionCases {
  @Case.Racy({"java.util.ArrayList", "java.util.AbstractList"})
  static final class ArrayListAdd_race extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void a() throws Exception { it.add("a"); }
    void b() throws Exception { it.add("b"); }
  }

  static final class ArrayListAddLocked_norace extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void a() throws Exception { synchronized (it) { it.add("a"); } }
    void b() throws Exception { synchronized (it) { it.add("b"); } }
  }

  @Case.Racy("java.util.ArrayList")
  static final class ArrayListGet_race extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("first"); }
    void a() throws Exception { it.set(0, "a"); }
    void b() throws Exception { it.get(0); }
  }

  static final class ArrayListGetLocked_norace extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("first"); }
    void a() throws Exception { synchronized (it) { it.set(0, "a"); } }
    void b() throws Exception { synchronized (it) { it.get(0); } }
  }

  @Case.Racy("java.util.ArrayList")
  static final class ArrayListSize_race extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void a() throws Exception { it.add("a"); }
    void b() throws Exception { it.size(); }
  }

  static final class ArrayListSizeLocked_norace extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void a() throws Exception { synchronized (it) { it.add("a"); } }
    void b() throws Exception { synchronized (it) { it.size(); } }
  }

  @Case.Racy({"java.util.ArrayList", "java.util.AbstractList"})
  static final class ArrayListIterate_race extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("first"); }
    void a() throws Exception { it.add("a"); }
    void b() throws Exception { for (String s : it) s.length(); }
  }

  static final class ArrayListIterateLocked_norace extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("first"); }
    void a() throws Exception { synchronized (it) { it.add("a"); } }
    void b() throws Exception { synchronized (it) { for (String s : it) s.length(); } }
  }

  @Case.Racy({"java.util.ArrayList", "java.util.AbstractList"})
  static final class ArrayListForEach_race extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("first"); }
    void a() throws Exception { it.remove("first"); }
    void b() throws Exception { it.forEach(s -> s.length()); }
  }

  static final class ArrayListForEachLocked_norace extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("first"); }
    void a() throws Exception { synchronized (it) { it.remove("first"); } }
    void b() throws Exception { synchronized (it) { it.forEach(s -> s.length()); } }
  }

  @Case.Racy("java.util.ArrayList")
  static final class ArrayListSubList_race extends Case.Pair {
    final List<String> it = new ArrayList<>(); List<String> part;
    void setup() { it.add("first"); part = it.subList(0, 1); }
    void a() throws Exception { part.set(0, "a"); }
    void b() throws Exception { it.get(0); }
  }

  static final class ArrayListSubListLocked_norace extends Case.Pair {
    final List<String> it = new ArrayList<>(); List<String> part;
    void setup() { it.add("first"); part = it.subList(0, 1); }
    void a() throws Exception { synchronized (it) { part.set(0, "a"); } }
    void b() throws Exception { synchronized (it) { it.get(0); } }
  }

  @Case.Racy({"java.util.ArrayList", "java.util.AbstractList", "java.util.Arrays", "java.util.ComparableTimSort", "java.util.TimSort"})
  static final class ArrayListSort_race extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("b"); it.add("a"); }
    void a() throws Exception { it.sort(null); }
    void b() throws Exception { it.get(1); }
  }

  static final class ArrayListSortLocked_norace extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("b"); it.add("a"); }
    void a() throws Exception { synchronized (it) { it.sort(null); } }
    void b() throws Exception { synchronized (it) { it.get(1); } }
  }

  static final class ArrayListSortOne_norace extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("a"); }
    void a() throws Exception { it.sort(null); }
    void b() throws Exception { it.get(0); }
  }

  @Case.Racy({"java.util.ArrayList", "java.util.AbstractList"})
  static final class ArrayListStream_race extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("first"); }
    void a() throws Exception { it.add("a"); }
    void b() throws Exception { it.stream().count(); it.stream().mapToInt(String::length).sum(); }
  }

  static final class ArrayListStreamLocked_norace extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("first"); }
    void a() throws Exception { synchronized (it) { it.add("a"); } }
    void b() throws Exception { synchronized (it) { it.stream().count(); it.stream().mapToInt(String::length).sum(); } }
  }

  @Case.Racy({"java.util.ArrayList", "java.util.AbstractList"})
  static final class ArrayListAddAll_race extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void a() throws Exception { it.addAll(List.of("a", "b")); }
    void b() throws Exception { it.addAll(List.of("c", "d")); }
  }

  static final class ArrayListAddAllLocked_norace extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void a() throws Exception { synchronized (it) { it.addAll(List.of("a", "b")); } }
    void b() throws Exception { synchronized (it) { it.addAll(List.of("c", "d")); } }
  }

  @Case.Racy({"java.util.ArrayList", "java.util.Arrays"})
  static final class ArrayListToArray_race extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("first"); }
    void a() throws Exception { it.set(0, "a"); }
    void b() throws Exception { it.toArray(); }
  }

  static final class ArrayListToArrayLocked_norace extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("first"); }
    void a() throws Exception { synchronized (it) { it.set(0, "a"); } }
    void b() throws Exception { synchronized (it) { it.toArray(); } }
  }

  @Case.Racy({"java.util.LinkedList", "java.util.AbstractList"})
  static final class LinkedListAdd_race extends Case.Pair {
    final List<String> it = new LinkedList<>();
    void a() throws Exception { it.add("a"); }
    void b() throws Exception { it.add("b"); }
  }

  static final class LinkedListAddLocked_norace extends Case.Pair {
    final List<String> it = new LinkedList<>();
    void a() throws Exception { synchronized (it) { it.add("a"); } }
    void b() throws Exception { synchronized (it) { it.add("b"); } }
  }

  @Case.Racy({"java.util.LinkedList", "java.util.AbstractList"})
  static final class LinkedListIterate_race extends Case.Pair {
    final List<String> it = new LinkedList<>();
    void setup() { it.add("first"); }
    void a() throws Exception { it.add("a"); }
    void b() throws Exception { for (String s : it) s.length(); }
  }

  static final class LinkedListIterateLocked_norace extends Case.Pair {
    final List<String> it = new LinkedList<>();
    void setup() { it.add("first"); }
    void a() throws Exception { synchronized (it) { it.add("a"); } }
    void b() throws Exception { synchronized (it) { for (String s : it) s.length(); } }
  }

  @Case.Racy("java.util.HashMap")
  static final class HashMapPut_race extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void a() throws Exception { it.put("a", "a"); }
    void b() throws Exception { it.put("b", "b"); }
  }

  static final class HashMapPutLocked_norace extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void a() throws Exception { synchronized (it) { it.put("a", "a"); } }
    void b() throws Exception { synchronized (it) { it.put("b", "b"); } }
  }

  @Case.Racy("java.util.HashMap")
  static final class HashMapGet_race extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void setup() { it.put("k", "v"); }
    void a() throws Exception { it.put("k", "a"); }
    void b() throws Exception { it.get("k"); }
  }

  static final class HashMapGetLocked_norace extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void setup() { it.put("k", "v"); }
    void a() throws Exception { synchronized (it) { it.put("k", "a"); } }
    void b() throws Exception { synchronized (it) { it.get("k"); } }
  }

  @Case.Racy("java.util.HashMap")
  static final class HashMapIterate_race extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void setup() { it.put("k", "v"); }
    void a() throws Exception { it.put("a", "a"); }
    void b() throws Exception { for (Map.Entry<String, String> e : it.entrySet()) e.getValue(); }
  }

  static final class HashMapIterateLocked_norace extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void setup() { it.put("k", "v"); }
    void a() throws Exception { synchronized (it) { it.put("a", "a"); } }
    void b() throws Exception { synchronized (it) { for (Map.Entry<String, String> e : it.entrySet()) e.getValue(); } }
  }

  @Case.Racy("java.util.HashMap")
  static final class HashMapComputeIfAbsent_race extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void a() throws Exception { it.computeIfAbsent("a", k -> k); }
    void b() throws Exception { it.computeIfAbsent("a", k -> k); }
  }

  static final class HashMapComputeIfAbsentLocked_norace extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void a() throws Exception { synchronized (it) { it.computeIfAbsent("a", k -> k); } }
    void b() throws Exception { synchronized (it) { it.computeIfAbsent("a", k -> k); } }
  }

  @Case.Racy("java.util.HashMap")
  static final class HashMapRemove_race extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void setup() { it.put("k", "v"); }
    void a() throws Exception { it.remove("k"); }
    void b() throws Exception { it.size(); }
  }

  static final class HashMapRemoveLocked_norace extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void setup() { it.put("k", "v"); }
    void a() throws Exception { synchronized (it) { it.remove("k"); } }
    void b() throws Exception { synchronized (it) { it.size(); } }
  }

  @Case.Racy("java.util.HashMap")
  static final class HashMapResize_race extends Case.Pair {
    final Map<Integer, Integer> it = new HashMap<>();
    void setup() { for (int i = 0; i < 12; i++) it.put(i, i); }
    void a() throws Exception { it.put(100, 1); }
    void b() throws Exception { it.get(3); }
  }

  static final class HashMapResizeLocked_norace extends Case.Pair {
    final Map<Integer, Integer> it = new HashMap<>();
    void setup() { for (int i = 0; i < 12; i++) it.put(i, i); }
    void a() throws Exception { synchronized (it) { it.put(100, 1); } }
    void b() throws Exception { synchronized (it) { it.get(3); } }
  }

  @Case.Racy("java.util.HashMap")
  static final class HashMapEntrySetValue_race extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void setup() { it.put("k", "v"); }
    void a() throws Exception { it.entrySet().iterator().next().setValue("a"); }
    void b() throws Exception { it.get("k"); }
  }

  static final class HashMapEntrySetValueLocked_norace extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void setup() { it.put("k", "v"); }
    void a() throws Exception { synchronized (it) { it.entrySet().iterator().next().setValue("a"); } }
    void b() throws Exception { synchronized (it) { it.get("k"); } }
  }

  @Case.Racy("java.util.HashMap")
  static final class HashSetAdd_race extends Case.Pair {
    final Set<String> it = new HashSet<>();
    void a() throws Exception { it.add("a"); }
    void b() throws Exception { it.contains("a"); }
  }

  static final class HashSetAddLocked_norace extends Case.Pair {
    final Set<String> it = new HashSet<>();
    void a() throws Exception { synchronized (it) { it.add("a"); } }
    void b() throws Exception { synchronized (it) { it.contains("a"); } }
  }

  @Case.Racy({"java.util.LinkedHashMap", "java.util.HashMap"})
  static final class LinkedHashMapPut_race extends Case.Pair {
    final Map<String, String> it = new LinkedHashMap<>();
    void a() throws Exception { it.put("a", "a"); }
    void b() throws Exception { it.put("b", "b"); }
  }

  static final class LinkedHashMapPutLocked_norace extends Case.Pair {
    final Map<String, String> it = new LinkedHashMap<>();
    void a() throws Exception { synchronized (it) { it.put("a", "a"); } }
    void b() throws Exception { synchronized (it) { it.put("b", "b"); } }
  }

  @Case.Racy({"java.util.LinkedHashMap", "java.util.HashMap"})
  static final class LinkedHashMapAccessOrder_race extends Case.Pair {
    final Map<String, String> it = new LinkedHashMap<>(16, 0.75f, true);
    void setup() { it.put("a", "a"); it.put("b", "b"); it.put("c", "c"); }
    void a() throws Exception { it.get("a"); }
    void b() throws Exception { it.get("b"); }
  }

  static final class LinkedHashMapAccessOrderLocked_norace extends Case.Pair {
    final Map<String, String> it = new LinkedHashMap<>(16, 0.75f, true);
    void setup() { it.put("a", "a"); it.put("b", "b"); it.put("c", "c"); }
    void a() throws Exception { synchronized (it) { it.get("a"); } }
    void b() throws Exception { synchronized (it) { it.get("b"); } }
  }

  @Case.Racy({"java.util.LinkedHashMap", "java.util.HashMap"})
  static final class LinkedHashSetAdd_race extends Case.Pair {
    final Set<String> it = new LinkedHashSet<>();
    void a() throws Exception { it.add("a"); }
    void b() throws Exception { it.add("b"); }
  }

  static final class LinkedHashSetAddLocked_norace extends Case.Pair {
    final Set<String> it = new LinkedHashSet<>();
    void a() throws Exception { synchronized (it) { it.add("a"); } }
    void b() throws Exception { synchronized (it) { it.add("b"); } }
  }

  @Case.Racy("java.util.TreeMap")
  static final class TreeMapPut_race extends Case.Pair {
    final Map<String, String> it = new TreeMap<>();
    void a() throws Exception { it.put("a", "a"); }
    void b() throws Exception { it.put("b", "b"); }
  }

  static final class TreeMapPutLocked_norace extends Case.Pair {
    final Map<String, String> it = new TreeMap<>();
    void a() throws Exception { synchronized (it) { it.put("a", "a"); } }
    void b() throws Exception { synchronized (it) { it.put("b", "b"); } }
  }

  @Case.Racy("java.util.TreeMap")
  static final class TreeMapGet_race extends Case.Pair {
    final TreeMap<String, String> it = new TreeMap<>();
    void setup() { it.put("k", "v"); }
    void a() throws Exception { it.put("k", "a"); }
    void b() throws Exception { it.get("k"); it.firstEntry(); }
  }

  static final class TreeMapGetLocked_norace extends Case.Pair {
    final TreeMap<String, String> it = new TreeMap<>();
    void setup() { it.put("k", "v"); }
    void a() throws Exception { synchronized (it) { it.put("k", "a"); } }
    void b() throws Exception { synchronized (it) { it.get("k"); it.firstEntry(); } }
  }

  @Case.Racy("java.util.TreeMap")
  static final class TreeSetAdd_race extends Case.Pair {
    final Set<String> it = new TreeSet<>();
    void a() throws Exception { it.add("a"); }
    void b() throws Exception { it.contains("a"); }
  }

  static final class TreeSetAddLocked_norace extends Case.Pair {
    final Set<String> it = new TreeSet<>();
    void a() throws Exception { synchronized (it) { it.add("a"); } }
    void b() throws Exception { synchronized (it) { it.contains("a"); } }
  }

  @Case.Racy("java.util.IdentityHashMap")
  static final class IdentityHashMapPut_race extends Case.Pair {
    final Map<String, String> it = new IdentityHashMap<>();
    void a() throws Exception { it.put("a", "a"); }
    void b() throws Exception { it.size(); }
  }

  static final class IdentityHashMapPutLocked_norace extends Case.Pair {
    final Map<String, String> it = new IdentityHashMap<>();
    void a() throws Exception { synchronized (it) { it.put("a", "a"); } }
    void b() throws Exception { synchronized (it) { it.size(); } }
  }

  @Case.Racy("java.util.WeakHashMap")
  static final class WeakHashMapPut_race extends Case.Pair {
    final Map<String, String> it = new WeakHashMap<>();
    void a() throws Exception { it.put("a", "a"); }
    void b() throws Exception { it.put("b", "b"); }
  }

  static final class WeakHashMapPutLocked_norace extends Case.Pair {
    final Map<String, String> it = new WeakHashMap<>();
    void a() throws Exception { synchronized (it) { it.put("a", "a"); } }
    void b() throws Exception { synchronized (it) { it.put("b", "b"); } }
  }

  @Case.Racy("java.util.EnumMap")
  static final class EnumMapPut_race extends Case.Pair {
    enum Key { K, J } final Map<Key, String> it = new EnumMap<>(Key.class);
    void a() throws Exception { it.put(Key.K, "a"); }
    void b() throws Exception { it.get(Key.K); }
  }

  static final class EnumMapPutLocked_norace extends Case.Pair {
    enum Key { K, J } final Map<Key, String> it = new EnumMap<>(Key.class);
    void a() throws Exception { synchronized (it) { it.put(Key.K, "a"); } }
    void b() throws Exception { synchronized (it) { it.get(Key.K); } }
  }

  @Case.Racy({"java.util.RegularEnumSet", "java.util.EnumSet"})
  static final class EnumSetAdd_race extends Case.Pair {
    enum Key { K, J } final Set<Key> it = EnumSet.noneOf(Key.class);
    void a() throws Exception { it.add(Key.K); }
    void b() throws Exception { it.contains(Key.J); }
  }

  static final class EnumSetAddLocked_norace extends Case.Pair {
    enum Key { K, J } final Set<Key> it = EnumSet.noneOf(Key.class);
    void a() throws Exception { synchronized (it) { it.add(Key.K); } }
    void b() throws Exception { synchronized (it) { it.contains(Key.J); } }
  }

  @Case.Racy("java.util.ArrayDeque")
  static final class ArrayDequePush_race extends Case.Pair {
    final ArrayDeque<String> it = new ArrayDeque<>();
    void a() throws Exception { it.push("a"); }
    void b() throws Exception { it.push("b"); }
  }

  static final class ArrayDequePushLocked_norace extends Case.Pair {
    final ArrayDeque<String> it = new ArrayDeque<>();
    void a() throws Exception { synchronized (it) { it.push("a"); } }
    void b() throws Exception { synchronized (it) { it.push("b"); } }
  }

  @Case.Racy("java.util.ArrayDeque")
  static final class ArrayDequeIterate_race extends Case.Pair {
    final ArrayDeque<String> it = new ArrayDeque<>();
    void setup() { it.add("first"); }
    void a() throws Exception { it.add("a"); }
    void b() throws Exception { for (String s : it) s.length(); }
  }

  static final class ArrayDequeIterateLocked_norace extends Case.Pair {
    final ArrayDeque<String> it = new ArrayDeque<>();
    void setup() { it.add("first"); }
    void a() throws Exception { synchronized (it) { it.add("a"); } }
    void b() throws Exception { synchronized (it) { for (String s : it) s.length(); } }
  }

  @Case.Racy("java.util.PriorityQueue")
  static final class PriorityQueueAdd_race extends Case.Pair {
    final PriorityQueue<String> it = new PriorityQueue<>();
    void a() throws Exception { it.add("a"); }
    void b() throws Exception { it.add("b"); }
  }

  static final class PriorityQueueAddLocked_norace extends Case.Pair {
    final PriorityQueue<String> it = new PriorityQueue<>();
    void a() throws Exception { synchronized (it) { it.add("a"); } }
    void b() throws Exception { synchronized (it) { it.add("b"); } }
  }

  @Case.Racy("java.util.PriorityQueue")
  static final class PriorityQueuePoll_race extends Case.Pair {
    final PriorityQueue<String> it = new PriorityQueue<>();
    void setup() { it.add("b"); it.add("a"); }
    void a() throws Exception { it.poll(); }
    void b() throws Exception { it.peek(); }
  }

  static final class PriorityQueuePollLocked_norace extends Case.Pair {
    final PriorityQueue<String> it = new PriorityQueue<>();
    void setup() { it.add("b"); it.add("a"); }
    void a() throws Exception { synchronized (it) { it.poll(); } }
    void b() throws Exception { synchronized (it) { it.peek(); } }
  }

  @Case.Racy("java.util.BitSet")
  static final class BitSetSet_race extends Case.Pair {
    final BitSet it = new BitSet(128);
    void a() throws Exception { it.set(1); }
    void b() throws Exception { it.set(2); }
  }

  static final class BitSetSetLocked_norace extends Case.Pair {
    final BitSet it = new BitSet(128);
    void a() throws Exception { synchronized (it) { it.set(1); } }
    void b() throws Exception { synchronized (it) { it.set(2); } }
  }

  @Case.Racy("java.util.BitSet")
  static final class BitSetOtherWord_race extends Case.Pair {
    final BitSet it = new BitSet(256);
    void a() throws Exception { it.set(1); }
    void b() throws Exception { it.set(200); it.cardinality(); }
  }

  static final class BitSetOtherWordLocked_norace extends Case.Pair {
    final BitSet it = new BitSet(256);
    void a() throws Exception { synchronized (it) { it.set(1); } }
    void b() throws Exception { synchronized (it) { it.set(200); it.cardinality(); } }
  }

  @Case.Racy({"java.lang.AbstractStringBuilder", "java.lang.StringBuilder"})
  static final class StringBuilderAppend_race extends Case.Pair {
    final StringBuilder it = new StringBuilder();
    void a() throws Exception { it.append("a"); }
    void b() throws Exception { it.append("b"); }
  }

  static final class StringBuilderAppendLocked_norace extends Case.Pair {
    final StringBuilder it = new StringBuilder();
    void a() throws Exception { synchronized (it) { it.append("a"); } }
    void b() throws Exception { synchronized (it) { it.append("b"); } }
  }

  @Case.Racy({"java.lang.AbstractStringBuilder", "java.lang.StringBuilder"})
  static final class StringBuilderToString_race extends Case.Pair {
    final StringBuilder it = new StringBuilder();
    void a() throws Exception { it.append(12); }
    void b() throws Exception { it.toString(); it.length(); }
  }

  static final class StringBuilderToStringLocked_norace extends Case.Pair {
    final StringBuilder it = new StringBuilder();
    void a() throws Exception { synchronized (it) { it.append(12); } }
    void b() throws Exception { synchronized (it) { it.toString(); it.length(); } }
  }

  @Case.Racy({"java.lang.AbstractStringBuilder", "java.lang.StringBuilder"})
  static final class StringBuilderSetChar_race extends Case.Pair {
    final StringBuilder it = new StringBuilder();
    void setup() { it.append("abc"); }
    void a() throws Exception { it.setCharAt(1, 'x'); }
    void b() throws Exception { it.charAt(1); }
  }

  static final class StringBuilderOtherChars_norace extends Case.Pair {
    final StringBuilder it = new StringBuilder();
    void setup() { it.append("abc"); }
    void a() throws Exception { it.setCharAt(0, 'x'); }
    void b() throws Exception { it.setCharAt(2, 'y'); it.charAt(1); }
  }

  static final class StringBuilderSetCharLocked_norace extends Case.Pair {
    final StringBuilder it = new StringBuilder();
    void setup() { it.append("abc"); }
    void a() throws Exception { synchronized (it) { it.setCharAt(1, 'x'); } }
    void b() throws Exception { synchronized (it) { it.charAt(1); } }
  }

  @Case.Racy("java.util.StringJoiner")
  static final class StringJoinerAdd_race extends Case.Pair {
    final StringJoiner it = new StringJoiner(",");
    void a() throws Exception { it.add("a"); }
    void b() throws Exception { it.add("b"); }
  }

  static final class StringJoinerAddLocked_norace extends Case.Pair {
    final StringJoiner it = new StringJoiner(",");
    void a() throws Exception { synchronized (it) { it.add("a"); } }
    void b() throws Exception { synchronized (it) { it.add("b"); } }
  }

  @Case.Racy({"java.text.", "java.util.Calendar", "java.util.GregorianCalendar"})
  static final class SimpleDateFormatFormat_race extends Case.Pair {
    final SimpleDateFormat it = new SimpleDateFormat("yyyy-MM-dd");
    void a() throws Exception { it.format(new Date(0)); }
    void b() throws Exception { it.format(new Date(1L << 40)); }
  }

  static final class SimpleDateFormatFormatLocked_norace extends Case.Pair {
    final SimpleDateFormat it = new SimpleDateFormat("yyyy-MM-dd");
    void a() throws Exception { synchronized (it) { it.format(new Date(0)); } }
    void b() throws Exception { synchronized (it) { it.format(new Date(1L << 40)); } }
  }

  @Case.Racy({"java.text.", "java.lang.AbstractStringBuilder", "java.util.Calendar", "java.util.GregorianCalendar"})
  static final class SimpleDateFormatParse_race extends Case.Pair {
    final SimpleDateFormat it = new SimpleDateFormat("yyyy-MM-dd");
    void a() throws Exception { it.parse("2001-02-03", new java.text.ParsePosition(0)); }
    void b() throws Exception { it.parse("2004-05-06", new java.text.ParsePosition(0)); }
  }

  static final class SimpleDateFormatParseLocked_norace extends Case.Pair {
    final SimpleDateFormat it = new SimpleDateFormat("yyyy-MM-dd");
    void a() throws Exception { synchronized (it) { it.parse("2001-02-03", new java.text.ParsePosition(0)); } }
    void b() throws Exception { synchronized (it) { it.parse("2004-05-06", new java.text.ParsePosition(0)); } }
  }

  @Case.Racy("java.text.")
  static final class DecimalFormatFormat_race extends Case.Pair {
    final DecimalFormat it = new DecimalFormat("0.00");
    void a() throws Exception { it.format(1.5); }
    void b() throws Exception { it.format(2.5); }
  }

  static final class DecimalFormatFormatLocked_norace extends Case.Pair {
    final DecimalFormat it = new DecimalFormat("0.00");
    void a() throws Exception { synchronized (it) { it.format(1.5); } }
    void b() throws Exception { synchronized (it) { it.format(2.5); } }
  }

  @Case.Racy({"java.util.Calendar", "java.util.GregorianCalendar"})
  static final class CalendarSet_race extends Case.Pair {
    final GregorianCalendar it = new GregorianCalendar();
    void a() throws Exception { it.set(2001, 1, 2); }
    void b() throws Exception { it.getTimeInMillis(); }
  }

  static final class CalendarSetLocked_norace extends Case.Pair {
    final GregorianCalendar it = new GregorianCalendar();
    void a() throws Exception { synchronized (it) { it.set(2001, 1, 2); } }
    void b() throws Exception { synchronized (it) { it.getTimeInMillis(); } }
  }

  @Case.Racy("java.util.ArrayList")
  static final class UnmodifiableView_race extends Case.Pair {
    final List<String> base = new ArrayList<>(); final List<String> it = Collections.unmodifiableList(base);
    void a() throws Exception { base.add("a"); }
    void b() throws Exception { it.size(); }
  }

  static final class UnmodifiableViewLocked_norace extends Case.Pair {
    final List<String> base = new ArrayList<>(); final List<String> it = Collections.unmodifiableList(base);
    void a() throws Exception { synchronized (it) { base.add("a"); } }
    void b() throws Exception { synchronized (it) { it.size(); } }
  }

  @Case.Racy("java.util.ArrayList")
  static final class SharedIterator_race extends Case.Pair {
    final List<String> base = new ArrayList<>(); Iterator<String> it;
    void setup() { base.add("a"); base.add("b"); it = base.iterator(); }
    void a() throws Exception { it.next(); }
    void b() throws Exception { it.next(); }
  }

  static final class SharedIteratorLocked_norace extends Case.Pair {
    final List<String> base = new ArrayList<>(); Iterator<String> it;
    void setup() { base.add("a"); base.add("b"); it = base.iterator(); }
    void a() throws Exception { synchronized (it) { it.next(); } }
    void b() throws Exception { synchronized (it) { it.next(); } }
  }

  @Case.Racy("java.util.HashMap")
  static final class SharedMapIterator_race extends Case.Pair {
    final Map<String, String> base = new HashMap<>(); Iterator<String> it;
    void setup() { base.put("a", "a"); base.put("b", "b"); it = base.keySet().iterator(); }
    void a() throws Exception { it.next(); }
    void b() throws Exception { it.next(); }
  }

  static final class SharedMapIteratorLocked_norace extends Case.Pair {
    final Map<String, String> base = new HashMap<>(); Iterator<String> it;
    void setup() { base.put("a", "a"); base.put("b", "b"); it = base.keySet().iterator(); }
    void a() throws Exception { synchronized (it) { it.next(); } }
    void b() throws Exception { synchronized (it) { it.next(); } }
  }

  static final class ArrayListRead_norace extends Case.Pair {
    final List<String> it = new ArrayList<>();
    void setup() { it.add("first"); it.add("second"); }
    void a() { for (String s : it) s.length(); it.get(1); it.contains("x"); it.stream().count(); it.toArray(); it.hashCode(); it.indexOf("x"); }
    void b() { for (String s : it) s.length(); it.get(1); it.contains("x"); it.stream().count(); it.toArray(); it.hashCode(); it.indexOf("x"); }
  }

  static final class HashMapRead_norace extends Case.Pair {
    final Map<String, String> it = new HashMap<>();
    void setup() { it.put("k", "v"); it.put("j", "v"); }
    void a() { for (Map.Entry<String, String> e : it.entrySet()) e.getValue(); it.get("k"); it.keySet().size(); it.values().contains("x"); it.hashCode(); it.forEach((k, v) -> k.length()); }
    void b() { for (Map.Entry<String, String> e : it.entrySet()) e.getValue(); it.get("k"); it.keySet().size(); it.values().contains("x"); it.hashCode(); it.forEach((k, v) -> k.length()); }
  }

  static final class TreeMapRead_norace extends Case.Pair {
    final TreeMap<String, String> it = new TreeMap<>();
    void setup() { it.put("k", "v"); it.put("j", "v"); }
    void a() { for (String k : it.keySet()) it.get(k); it.headMap("k").size(); it.firstEntry(); it.descendingMap().firstKey(); it.navigableKeySet().first(); it.values().size(); }
    void b() { for (String k : it.keySet()) it.get(k); it.headMap("k").size(); it.firstEntry(); it.descendingMap().firstKey(); it.navigableKeySet().first(); it.values().size(); }
  }

  static final class LinkedListRead_norace extends Case.Pair {
    final List<String> it = new LinkedList<>();
    void setup() { it.add("k"); }
    void a() { for (String s : it) s.length(); it.get(0); it.size(); it.equals(it); }
    void b() { for (String s : it) s.length(); it.get(0); it.size(); it.equals(it); }
  }

  static final class BitSetRead_norace extends Case.Pair {
    final BitSet it = new BitSet();
    void setup() { it.set(3); it.set(100); }
    void a() { it.get(3); it.cardinality(); it.nextSetBit(4); it.hashCode(); }
    void b() { it.get(3); it.cardinality(); it.nextSetBit(4); it.hashCode(); }
  }

  static final class HashSetRead_norace extends Case.Pair {
    final Set<String> it = new HashSet<>();
    void setup() { it.add("k"); }
    void a() { it.contains("k"); for (String s : it) s.length(); it.stream().count(); }
    void b() { it.contains("k"); for (String s : it) s.length(); it.stream().count(); }
  }

  static final class EnumMapRead_norace extends Case.Pair {
    enum Key { K, J } final Map<Key, String> it = new EnumMap<>(Key.class);
    void setup() { it.put(Key.K, "v"); }
    void a() { it.get(Key.K); for (Key k : it.keySet()) k.ordinal(); it.size(); }
    void b() { it.get(Key.K); for (Key k : it.keySet()) k.ordinal(); it.size(); }
  }

  static final class ArrayDequeRead_norace extends Case.Pair {
    final ArrayDeque<String> it = new ArrayDeque<>();
    void setup() { it.add("k"); }
    void a() { it.peekFirst(); for (String s : it) s.length(); it.contains("x"); }
    void b() { it.peekFirst(); for (String s : it) s.length(); it.contains("x"); }
  }

  static final class UnmodifiableRead_norace extends Case.Pair {
    final List<String> it = Collections.unmodifiableList(new ArrayList<>(List.of("a", "b")));
    void a() { it.get(1); for (String s : it) s.length(); it.hashCode(); }
    void b() { it.get(1); for (String s : it) s.length(); it.hashCode(); }
  }

  static final class ImmutableRead_norace extends Case.Pair {
    final Map<String, Integer> it = Map.of("a", 1, "b", 2);
    void a() { it.get("a"); for (Map.Entry<String, Integer> e : it.entrySet()) e.getKey(); it.hashCode(); }
    void b() { it.get("a"); for (Map.Entry<String, Integer> e : it.entrySet()) e.getKey(); it.hashCode(); }
  }

  static final class StringRead_norace extends Case.Pair {
    final String it = new String("hash me");
    void a() { it.hashCode(); it.substring(2).toUpperCase().isEmpty(); it.equals("x"); it.chars().sum(); }
    void b() { it.hashCode(); it.substring(2).toUpperCase().isEmpty(); it.equals("x"); it.chars().sum(); }
  }

  static final class BigNumbers_norace extends Case.Pair {
    final java.math.BigDecimal it = new java.math.BigDecimal("1.50");
    void a() { it.toString(); it.hashCode(); it.add(it).toBigInteger().bitLength(); it.toBigInteger().hashCode(); it.precision(); }
    void b() { it.toString(); it.hashCode(); it.add(it).toBigInteger().bitLength(); it.toBigInteger().hashCode(); it.precision(); }
  }

  static final class PatternRead_norace extends Case.Pair {
    final java.util.regex.Pattern it = java.util.regex.Pattern.compile("a+(b|c)");
    void a() { it.matcher("aab").matches(); it.split("xaacy"); it.toString(); }
    void b() { it.matcher("aab").matches(); it.split("xaacy"); it.toString(); }
  }

  /** Views that a map makes on first use, by whichever reader comes first. */
  static final class ViewsOfWrappers_norace extends Case.Pair {
    Map<String, Integer> map;
    Map<String, Integer> unmodifiable;
    Map<String, Integer> single;
    Map<String, Integer> checked;
    NavigableMap<String, Integer> part;
    void setup() {
      map = new TreeMap<>(Map.of("a", 1, "b", 2));
      unmodifiable = Collections.unmodifiableMap(map);
      single = Collections.singletonMap("a", 1);
      checked = Collections.checkedMap(map, String.class, Integer.class);
      part = ((TreeMap<String, Integer>) map).headMap("z", true);
    }
    int read() {
      int seen = part.descendingMap().firstKey().length() + part.navigableKeySet().first().length();
      for (Map.Entry<String, Integer> entry : part.entrySet()) seen += entry.getValue();
      for (Map<String, Integer> each : List.of(unmodifiable, single, checked)) {
        for (String key : each.keySet()) seen += key.length();
        for (Map.Entry<String, Integer> entry : each.entrySet()) seen += entry.getValue();
        for (int value : each.values()) seen += value;
      }
      return seen;
    }
    void a() { read(); }
    void b() { read(); }
  }
}
