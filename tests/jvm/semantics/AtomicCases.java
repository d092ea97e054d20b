// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** A flag of each kind, in each mode: what the first thread did before setting it, the second does after seeing it. */
final class AtomicCases {

  static final class SetGet_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.set(1); }
    void b() { if (flag.get() == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class AfterSet_race extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { flag.set(1); x = 1; }
    void b() { flag.get(); x = 2; }
  }

  static final class LazySet_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.lazySet(1); }
    void b() { if (flag.get() == 1) x = 2; }
  }

  static final class SetReleaseGetAcquire_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.setRelease(1); }
    void b() { if (flag.getAcquire() == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class SetOpaqueGetOpaque_race extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.setOpaque(1); }
    void b() { flag.getOpaque(); x = 2; }
  }

  @Case.Racy("x")
  static final class SetPlainGetAcquire_race extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.setPlain(1); }
    void b() { flag.getAcquire(); x = 2; }
  }

  @Case.Racy("x")
  static final class SetGetPlain_race extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.set(1); }
    void b() { flag.getPlain(); x = 2; }
  }

  @Case.Racy("x")
  static final class TwoSets_race extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.set(1); }
    void b() { flag.set(2); x = 2; }
  }

  static final class CompareAndSet_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.compareAndSet(0, 1); }
    void b() { if (flag.compareAndSet(1, 2)) x = 2; }
  }

  static final class CompareAndSetFails_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.set(1); }
    void b() { if (!flag.compareAndSet(0, 0)) x = 2; }
  }

  @Case.Racy("x")
  static final class CompareAndSetOfTwo_race extends Case.Pair {
    final AtomicInteger one = new AtomicInteger(); final AtomicInteger two = new AtomicInteger();
    int x;
    void a() { x = 1; one.compareAndSet(0, 1); }
    void b() { two.compareAndSet(0, 1); x = 2; }
  }

  static final class CompareAndSetBoth_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { flag.incrementAndGet(); x++; flag.incrementAndGet(); }
    void b() { flag.incrementAndGet(); x++; flag.incrementAndGet(); }
  }

  static final class CompareAndExchange_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.compareAndExchange(0, 1); }
    void b() { if (flag.compareAndExchange(1, 2) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class WeakCompareAndSetPlain_race extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; while (flag.get() < 2 && !flag.weakCompareAndSetPlain(flag.getPlain(), 2)) { } }
    void b() { while (!flag.weakCompareAndSetPlain(flag.getPlain(), 3)) { } x = 2; while (!flag.weakCompareAndSetPlain(flag.getPlain(), 3)) { } }
  }

  static final class WeakCompareAndSetVolatile_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; while (!flag.weakCompareAndSetVolatile(flag.get(), 5)) { } }
    void b() { if (flag.get() == 5) x = 2; }
  }

  static final class WeakCompareAndSetRelease_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; while (!flag.weakCompareAndSetRelease(0, 5)) { if (flag.get() != 0) break; } }
    void b() { if (flag.getAcquire() == 5) x = 2; }
  }

  static final class GetAndAdd_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.getAndAdd(5); }
    void b() { if (flag.getAndAdd(1) == 5) x = 2; }
  }

  static final class GetAndSet_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.getAndSet(5); }
    void b() { if (flag.getAndSet(1) == 5) x = 2; }
  }

  static final class UpdateAndGet_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.updateAndGet(v -> v + 5); }
    void b() { if (flag.getAndUpdate(v -> v + 1) == 5) x = 2; }
  }

  static final class AccumulateAndGet_norace extends Case.Pair {
    final AtomicInteger flag = new AtomicInteger();
    int x;
    void a() { x = 1; flag.accumulateAndGet(5, Integer::sum); }
    void b() { if (flag.getAndAccumulate(1, Math::max) == 5) x = 2; }
  }

  static final class Long_norace extends Case.Pair {
    final AtomicLong flag = new AtomicLong();
    int x;
    void a() { x = 1; flag.set(1L << 40); }
    void b() { if (flag.get() != 0) x = 2; }
  }

  static final class LongIncrement_norace extends Case.Pair {
    final AtomicLong flag = new AtomicLong();
    int x;
    void a() { x = 1; flag.incrementAndGet(); }
    void b() { if (flag.getAndDecrement() == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class LongAfter_race extends Case.Pair {
    final AtomicLong flag = new AtomicLong();
    int x;
    void a() { flag.incrementAndGet(); x = 1; }
    void b() { flag.incrementAndGet(); x = 2; }
  }

  static final class Boolean_norace extends Case.Pair {
    final AtomicBoolean flag = new AtomicBoolean();
    int x;
    void a() { x = 1; flag.set(true); }
    void b() { if (flag.get()) x = 2; }
  }

  static final class BooleanSpinLock_norace extends Case.Pair {
    final AtomicBoolean lock = new AtomicBoolean();
    int x;
    void a() { while (!lock.compareAndSet(false, true)) { } x = 1; lock.set(false); }
    void b() { while (!lock.compareAndSet(false, true)) { } x = 2; lock.set(false); }
  }

  @Case.Racy("x")
  static final class BooleanSpinLockAfter_race extends Case.Pair {
    final AtomicBoolean lock = new AtomicBoolean();
    int x;
    void a() { while (!lock.compareAndSet(false, true)) { } lock.set(false); x = 1; }
    void b() { while (!lock.compareAndSet(false, true)) { } lock.set(false); x = 2; }
  }

  static final class BooleanLazyUnlock_norace extends Case.Pair {
    final AtomicBoolean lock = new AtomicBoolean();
    int x;
    void a() { while (lock.getAndSet(true)) { } x = 1; lock.lazySet(false); }
    void b() { while (lock.getAndSet(true)) { } x = 2; lock.lazySet(false); }
  }

  static final class Reference_norace extends Case.Pair {
    final AtomicReference<String> flag = new AtomicReference<>();
    int x;
    void a() { x = 1; flag.set("a"); }
    void b() { if (flag.get() != null) x = 2; }
  }

  static final class ReferenceGetAndSet_norace extends Case.Pair {
    final AtomicReference<String> flag = new AtomicReference<>();
    int x;
    void a() { x = 1; flag.getAndSet("a"); }
    void b() { if (flag.getAndSet("b") != null) x = 2; }
  }

  @Case.Racy("x")
  static final class ReferenceOpaque_race extends Case.Pair {
    final AtomicReference<String> flag = new AtomicReference<>();
    int x;
    void a() { x = 1; flag.setOpaque("a"); }
    void b() { flag.getOpaque(); x = 2; }
  }

  /** Treiber's stack: nodes with plain fields, published by compareAndSet. */
  static final class TreiberStack_norace extends Case.Pair {
    static final class Node { int v; Node next; }
    final AtomicReference<Node> head = new AtomicReference<>();
    int sum;
    void push(int v) { Node node = new Node(); node.v = v; do { node.next = head.get(); } while (!head.compareAndSet(node.next, node)); }
    int pop() { Node node; do { node = head.get(); } while (node != null && !head.compareAndSet(node, node.next)); return node == null ? 0 : node.v; }
    void a() { push(1); push(2); pop(); }
    void b() { push(3); pop(); pop(); }
  }

  @Case.Racy("v")
  static final class PublishedThenWritten_race extends Case.Pair {
    static final class Node { int v; }
    final AtomicReference<Node> head = new AtomicReference<>(new Node());
    void a() { head.get().v = 1; }
    void b() { head.get().v = 2; }
  }

  static final class Stamped_norace extends Case.Pair {
    final AtomicStampedReference<String> flag = new AtomicStampedReference<>(null, 0);
    int x;
    void a() { x = 1; flag.set("a", 1); }
    void b() { if (flag.getStamp() == 1) x = 2; }
  }

  static final class StampedCompareAndSet_norace extends Case.Pair {
    final AtomicStampedReference<String> flag = new AtomicStampedReference<>(null, 0);
    int x;
    void a() { x = 1; flag.compareAndSet(null, "a", 0, 1); }
    void b() { if (flag.compareAndSet("a", "b", 1, 2)) x = 2; }
  }

  static final class Markable_norace extends Case.Pair {
    final AtomicMarkableReference<String> flag = new AtomicMarkableReference<>(null, false);
    int x;
    void a() { x = 1; flag.attemptMark(null, true); }
    void b() { if (flag.isMarked()) x = 2; }
  }

  @Case.Racy("x")
  static final class MarkableAfter_race extends Case.Pair {
    final AtomicMarkableReference<String> flag = new AtomicMarkableReference<>(null, false);
    int x;
    void a() { flag.attemptMark(null, true); x = 1; }
    void b() { flag.isMarked(); x = 2; }
  }

  static final class Array_norace extends Case.Pair {
    final AtomicIntegerArray flags = new AtomicIntegerArray(2);
    int x;
    void a() { x = 1; flags.set(1, 1); }
    void b() { if (flags.get(1) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class ArrayOtherElement_race extends Case.Pair {
    final AtomicIntegerArray flags = new AtomicIntegerArray(2);
    int x;
    void a() { x = 1; flags.set(1, 1); }
    void b() { flags.get(0); x = 2; }
  }

  @Case.Racy("x")
  static final class ArrayOpaque_race extends Case.Pair {
    final AtomicIntegerArray flags = new AtomicIntegerArray(2);
    int x;
    void a() { x = 1; flags.setOpaque(1, 1); }
    void b() { flags.getOpaque(1); x = 2; }
  }

  static final class ArrayAdd_norace extends Case.Pair {
    final AtomicIntegerArray flags = new AtomicIntegerArray(2);
    int x;
    void a() { x = 1; flags.getAndAdd(1, 5); }
    void b() { if (flags.compareAndSet(1, 5, 6)) x = 2; }
  }

  static final class LongArray_norace extends Case.Pair {
    final AtomicLongArray flags = new AtomicLongArray(2);
    int x;
    void a() { x = 1; flags.lazySet(0, 1); }
    void b() { if (flags.get(0) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class LongArrayOtherElement_race extends Case.Pair {
    final AtomicLongArray flags = new AtomicLongArray(2);
    int x;
    void a() { x = 1; flags.incrementAndGet(0); }
    void b() { flags.incrementAndGet(1); x = 2; }
  }

  static final class ReferenceArray_norace extends Case.Pair {
    final AtomicReferenceArray<String> flags = new AtomicReferenceArray<>(2);
    int x;
    void a() { x = 1; flags.set(0, "a"); }
    void b() { if (flags.get(0) != null) x = 2; }
  }

  @Case.Racy("x")
  static final class ReferenceArrayOtherElement_race extends Case.Pair {
    final AtomicReferenceArray<String> flags = new AtomicReferenceArray<>(2);
    int x;
    void a() { x = 1; flags.set(0, "a"); }
    void b() { flags.get(1); x = 2; }
  }

  static final class IntegerUpdater_norace extends Case.Pair {
    volatile int flag; static final AtomicIntegerFieldUpdater<IntegerUpdater_norace> FLAG = AtomicIntegerFieldUpdater.newUpdater(IntegerUpdater_norace.class, "flag");
    int x;
    void a() { x = 1; FLAG.set(this, 1); }
    void b() { if (FLAG.get(this) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class IntegerUpdaterAfter_race extends Case.Pair {
    volatile int flag; static final AtomicIntegerFieldUpdater<IntegerUpdaterAfter_race> FLAG = AtomicIntegerFieldUpdater.newUpdater(IntegerUpdaterAfter_race.class, "flag");
    int x;
    void a() { FLAG.incrementAndGet(this); x = 1; }
    void b() { FLAG.incrementAndGet(this); x = 2; }
  }

  static final class LongUpdater_norace extends Case.Pair {
    volatile long flag; static final AtomicLongFieldUpdater<LongUpdater_norace> FLAG = AtomicLongFieldUpdater.newUpdater(LongUpdater_norace.class, "flag");
    int x;
    void a() { x = 1; FLAG.set(this, 1); }
    void b() { if (FLAG.get(this) == 1) x = 2; }
  }

  @Case.Racy("x")
  static final class LongUpdaterAfter_race extends Case.Pair {
    volatile long flag; static final AtomicLongFieldUpdater<LongUpdaterAfter_race> FLAG = AtomicLongFieldUpdater.newUpdater(LongUpdaterAfter_race.class, "flag");
    int x;
    void a() { FLAG.incrementAndGet(this); x = 1; }
    void b() { FLAG.incrementAndGet(this); x = 2; }
  }

  static final class UpdaterAndField_norace extends Case.Pair {
    volatile int flag; static final AtomicIntegerFieldUpdater<UpdaterAndField_norace> FLAG = AtomicIntegerFieldUpdater.newUpdater(UpdaterAndField_norace.class, "flag");
    int x;
    void a() { x = 1; FLAG.compareAndSet(this, 0, 1); }
    void b() { if (flag == 1) x = 2; }
  }

  static final class FieldAndUpdater_norace extends Case.Pair {
    volatile int flag; static final AtomicIntegerFieldUpdater<FieldAndUpdater_norace> FLAG = AtomicIntegerFieldUpdater.newUpdater(FieldAndUpdater_norace.class, "flag");
    int x;
    void a() { x = 1; flag = 1; }
    void b() { if (FLAG.compareAndSet(this, 1, 2)) x = 2; }
  }

  static final class ReferenceUpdater_norace extends Case.Pair {
    volatile String flag; static final AtomicReferenceFieldUpdater<ReferenceUpdater_norace, String> FLAG = AtomicReferenceFieldUpdater.newUpdater(ReferenceUpdater_norace.class, String.class, "flag");
    int x;
    void a() { x = 1; FLAG.lazySet(this, "a"); }
    void b() { if (FLAG.getAndSet(this, "b") != null) x = 2; }
  }

  @Case.Racy("x")
  static final class UpdaterOfTwoObjects_race extends Case.Pair {
    static final class Flag { volatile int up; } final Flag one = new Flag(); final Flag two = new Flag(); static final AtomicIntegerFieldUpdater<Flag> FLAG = AtomicIntegerFieldUpdater.newUpdater(Flag.class, "up");
    int x;
    void a() { x = 1; FLAG.set(one, 1); }
    void b() { FLAG.get(two); x = 2; }
  }

  static final class LongAdder_norace extends Case.Pair {
    final LongAdder adder = new LongAdder();
    int x;
    void a() { adder.add(1); adder.sum(); }
    void b() { adder.increment(); adder.sumThenReset(); }
  }

  static final class LongAdderPublishes_norace extends Case.Pair {
    final LongAdder adder = new LongAdder();
    int x;
    void a() { x = 1; adder.increment(); }
    void b() { if (adder.sum() == 1) x = 2; }
  }

  static final class LongAccumulator_norace extends Case.Pair {
    final LongAccumulator max = new LongAccumulator(Math::max, 0);
    int x;
    void a() { max.accumulate(3); }
    void b() { max.accumulate(5); max.get(); }
  }

  @Case.Racy("x")
  static final class LongAdderAfter_race extends Case.Pair {
    final LongAdder adder = new LongAdder();
    int x;
    void a() { adder.increment(); x = 1; }
    void b() { adder.sum(); x = 2; }
  }
}
