// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** What is done before an element goes in happens before what is done after it came out; nothing else is ordered. */
final class QueueCases {

  static final class ArrayBlockingQueue_norace extends Case.Handoff {
    final BlockingQueue<String> queue = new ArrayBlockingQueue<>(2);
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { queue.take(); x = 2; }
  }

  @Case.Racy("x")
  static final class ArrayBlockingQueueTooEarly_race extends Case.Handoff {
    final BlockingQueue<String> queue = new ArrayBlockingQueue<>(2);
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { x = 2; queue.take(); }
  }

  static final class LinkedBlockingQueue_norace extends Case.Handoff {
    final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { queue.take(); x = 2; }
  }

  @Case.Racy("x")
  static final class LinkedBlockingQueueTooEarly_race extends Case.Handoff {
    final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { x = 2; queue.take(); }
  }

  static final class LinkedBlockingDeque_norace extends Case.Handoff {
    final BlockingQueue<String> queue = new LinkedBlockingDeque<>();
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { queue.take(); x = 2; }
  }

  @Case.Racy("x")
  static final class LinkedBlockingDequeTooEarly_race extends Case.Handoff {
    final BlockingQueue<String> queue = new LinkedBlockingDeque<>();
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { x = 2; queue.take(); }
  }

  static final class LinkedTransferQueue_norace extends Case.Handoff {
    final BlockingQueue<String> queue = new LinkedTransferQueue<>();
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { queue.take(); x = 2; }
  }

  @Case.Racy("x")
  static final class LinkedTransferQueueTooEarly_race extends Case.Handoff {
    final BlockingQueue<String> queue = new LinkedTransferQueue<>();
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { x = 2; queue.take(); }
  }

  static final class PriorityBlockingQueue_norace extends Case.Handoff {
    final BlockingQueue<String> queue = new PriorityBlockingQueue<>();
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { queue.take(); x = 2; }
  }

  @Case.Racy("x")
  static final class PriorityBlockingQueueTooEarly_race extends Case.Handoff {
    final BlockingQueue<String> queue = new PriorityBlockingQueue<>();
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { x = 2; queue.take(); }
  }

  static final class ArrayBlockingQueuePoll_norace extends Case.Pair {
    static final class Box { int v; }
    final Queue<Box> queue = new ArrayBlockingQueue<>(2);
    int seen;
    void a() { Box box = new Box(); box.v = 1; queue.add(box); }
    void b() { Box box = queue.poll(); if (box != null) seen = ++box.v; }
  }

  @Case.Racy("v")
  static final class ArrayBlockingQueueWriteAfterAdd_race extends Case.Pair {
    static final class Box { int v; }
    final Queue<Box> queue = new ArrayBlockingQueue<>(2);
    final Box box = new Box();
    void a() { queue.add(box); box.v = 1; }
    void b() { queue.poll(); box.v = 2; }
  }

  static final class ConcurrentLinkedQueuePoll_norace extends Case.Pair {
    static final class Box { int v; }
    final Queue<Box> queue = new ConcurrentLinkedQueue<>();
    int seen;
    void a() { Box box = new Box(); box.v = 1; queue.add(box); }
    void b() { Box box = queue.poll(); if (box != null) seen = ++box.v; }
  }

  @Case.Racy("v")
  static final class ConcurrentLinkedQueueWriteAfterAdd_race extends Case.Pair {
    static final class Box { int v; }
    final Queue<Box> queue = new ConcurrentLinkedQueue<>();
    final Box box = new Box();
    void a() { queue.add(box); box.v = 1; }
    void b() { queue.poll(); box.v = 2; }
  }

  static final class ConcurrentLinkedDequePoll_norace extends Case.Pair {
    static final class Box { int v; }
    final Queue<Box> queue = new ConcurrentLinkedDeque<>();
    int seen;
    void a() { Box box = new Box(); box.v = 1; queue.add(box); }
    void b() { Box box = queue.poll(); if (box != null) seen = ++box.v; }
  }

  @Case.Racy("v")
  static final class ConcurrentLinkedDequeWriteAfterAdd_race extends Case.Pair {
    static final class Box { int v; }
    final Queue<Box> queue = new ConcurrentLinkedDeque<>();
    final Box box = new Box();
    void a() { queue.add(box); box.v = 1; }
    void b() { queue.poll(); box.v = 2; }
  }

  static final class LinkedTransferQueuePoll_norace extends Case.Pair {
    static final class Box { int v; }
    final Queue<Box> queue = new LinkedTransferQueue<>();
    int seen;
    void a() { Box box = new Box(); box.v = 1; queue.add(box); }
    void b() { Box box = queue.poll(); if (box != null) seen = ++box.v; }
  }

  /** The nodes behind the first are linked, not put into a field of the queue. */
  static final class LinkedTransferQueueBehind_norace extends Case.Pair {
    static final class Box { int v; }
    final Queue<Box> queue = new LinkedTransferQueue<>(java.util.List.of(new Box()));
    int seen;
    void a() { Box box = new Box(); box.v = 1; queue.add(box); }
    void b() { queue.poll(); Box box = queue.poll(); if (box != null) seen = ++box.v; }
  }

  @Case.Racy("v")
  static final class LinkedTransferQueueWriteAfterAdd_race extends Case.Pair {
    static final class Box { int v; }
    final Queue<Box> queue = new LinkedTransferQueue<>();
    final Box box = new Box();
    void a() { queue.add(box); box.v = 1; }
    void b() { queue.poll(); box.v = 2; }
  }

  static final class DelayQueue_norace extends Case.Handoff {
    static final class Due implements Delayed {
      @Override public long getDelay(TimeUnit unit) { return 0; }
      @Override public int compareTo(Delayed other) { return 0; }
    }
    final DelayQueue<Due> queue = new DelayQueue<>();
    int x;
    void a() { x = 1; queue.put(new Due()); }
    void b() throws Exception { queue.take(); x = 2; }
  }

  @Case.Racy("x")
  static final class DelayQueueTooEarly_race extends Case.Handoff {
    static final class Due implements Delayed {
      @Override public long getDelay(TimeUnit unit) { return 0; }
      @Override public int compareTo(Delayed other) { return 0; }
    }
    final DelayQueue<Due> queue = new DelayQueue<>();
    int x;
    void a() { x = 1; queue.put(new Due()); }
    void b() throws Exception { x = 2; queue.take(); }
  }

  @Case.Cold
  static final class SynchronousQueue_norace extends Case.Handoff {
    final SynchronousQueue<String> queue = new SynchronousQueue<>();
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { queue.take(); x = 2; }
  }

  @Case.Cold
  @Case.Racy("x")
  static final class SynchronousQueueTooEarly_race extends Case.Handoff {
    final SynchronousQueue<String> queue = new SynchronousQueue<>(true);
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { x = 2; queue.take(); }
  }

  @Case.Cold
  static final class FairSynchronousQueue_norace extends Case.Handoff {
    final SynchronousQueue<String> queue = new SynchronousQueue<>(true);
    int x;
    void a() throws Exception { x = 1; queue.put("a"); }
    void b() throws Exception { queue.take(); x = 2; }
  }

  /** transfer() comes back when the element was taken, and the taker's past with it. */
  @Case.Cold
  static final class Transfer_norace extends Case.Handoff {
    final LinkedTransferQueue<String> queue = new LinkedTransferQueue<>();
    int x;
    void a() throws Exception { queue.transfer("a"); x = 1; }
    void b() throws Exception { x = 2; queue.take(); }
  }

  static final class OfferAndPollTimed_norace extends Case.Handoff {
    final LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>(1);
    int x;
    void a() throws Exception { x = 1; queue.offer("a", 1, TimeUnit.HOURS); }
    void b() throws Exception { if (queue.poll(1, TimeUnit.HOURS) != null) x = 2; }
  }

  /** A full queue: the one who makes room lets the waiting one in. */
  @Case.Cold
  static final class PutWaitsForRoom_norace extends Case.Handoff {
    final ArrayBlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
    int x;
    void setup() { queue.add("full"); }
    void a() throws Exception { x = 1; queue.take(); }
    void b() throws Exception { queue.put("b"); x = 2; }
  }

  static final class Iterate_norace extends Case.Pair {
    static final class Box { int v; }
    final ConcurrentLinkedQueue<Box> queue = new ConcurrentLinkedQueue<>();
    int sum;
    void a() { Box box = new Box(); box.v = 1; queue.add(box); }
    void b() { for (Box box : queue) sum += box.v; }
  }

  static final class DequeBothEnds_norace extends Case.Pair {
    final ConcurrentLinkedDeque<int[]> deque = new ConcurrentLinkedDeque<>();
    int sum;
    void a() { deque.addFirst(new int[] {1}); deque.addLast(new int[] {2}); }
    void b() { for (int[] found; (found = deque.pollLast()) != null; ) sum += found[0]++; }
  }

  @Case.Racy("java.util.ArrayDeque")
  static final class ArrayDequeAsQueue_race extends Case.Pair {
    final Queue<String> queue = new ArrayDeque<>();
    void a() { queue.add("a"); }
    void b() { queue.poll(); }
  }

  static final class ArrayDequeLocked_norace extends Case.Pair {
    final Queue<String> queue = new ArrayDeque<>();
    void a() { synchronized (queue) { queue.add("a"); } }
    void b() { synchronized (queue) { queue.poll(); } }
  }
}
