// SPDX-License-Identifier: Apache-2.0
//
// From the scheduler's operations to the events of a trace.
#include "agent/trace_recorder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "agent/class_table.h"
#include "base/random.h"
#include "trace/load.h"
#include "trace/rules.h"
#include "trace/text_writer.h"

namespace deadheat::agent {
namespace {

using schedule::Operation;
using schedule::OperationKind;
using schedule::Passage;
using schedule::ThreadIndex;
using enum schedule::OperationKind;

constexpr std::uint32_t kNumberedField = 17;  // a.C.y

constexpr std::uint64_t object(std::uint64_t number) { return number << 32; }

class TraceRecorderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("trace_recorder_test." + std::to_string(::getpid()) + "." +
                                                        testing::UnitTest::GetInstance()->current_test_info()->name());
    ASSERT_TRUE(log_.open(folder_.string()).ok());
    auto named = std::make_unique<ClassInfo>();
    named->name = "a/C";
    named->fields.emplace_back().name = "y";
    named->fields.back().number = kNumberedField;
    classes_.add(std::move(named));
    info_.name = "a/B";
    info_.source = "B.java";
    info_.methods = {{"run", "()V"}};
    field_.owner = "a/B";
    field_.name = "x";
    end_field_.owner = "java/lang/Thread";
    end_field_.name = "eetop";
    field_site_ = sites_.add({.in = &info_, .field = &field_, .bytecode_index = 3, .line = 7});
    static_site_ = sites_.add({.in = &info_, .field = &field_, .bytecode_index = 4, .line = 8, .is_static = true});
    end_site_ = sites_.add({.in = &info_, .field = &end_field_, .bytecode_index = 6, .line = 9});
    plain_site_ = sites_.add({.in = &info_, .bytecode_index = 5, .line = 9});
    ASSERT_TRUE(recorder_.start().ok());
    main_ = world_.add_root(false);
    recorder_.add_thread(main_, object(1));
    EXPECT_EQ(execute(main_), Passage::kGranted);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Passage execute(ThreadIndex thread) {
    const Passage passage = world_.execute(thread, [](ThreadIndex, std::uint32_t) { return 0u; });
    recorder_.on_operation(world_, thread, world_.pending(thread), passage);
    return passage;
  }
  void step(ThreadIndex thread, Operation op) {
    if (op.cookie == 0) op.cookie = plain_site_;
    world_.publish(thread, op);
    ASSERT_TRUE(world_.is_enabled(thread));
    execute(thread);
  }
  ThreadIndex start(ThreadIndex parent, std::uint64_t thread_object) {
    const ThreadIndex child = world_.add_child(parent, false);
    recorder_.add_thread(child, thread_object);
    step(parent, {.kind = kStart, .target = child});
    execute(child);
    return child;
  }

  // The events without their locations; the trace keeps the rules.
  std::string finished() {
    recorder_.finish();
    Result<trace::Loaded> loaded = trace::load(log_.folder() + "/trace");
    EXPECT_TRUE(loaded.ok());
    if (!loaded.ok()) return "";
    EXPECT_TRUE(loaded.value().problems.none() && loaded.value().notes.empty());
    trace::Problems problems;
    trace::check_rules(loaded.value().trace, problems);
    EXPECT_TRUE(problems.none()) << problems.kept()[0].message;
    const trace::TextWriter writer(loaded.value().trace);
    std::string result;
    for (const model::Event& event : loaded.value().trace.events) {
      std::string line;
      writer.append(event, line);
      last_location_ = line.substr(line.rfind('|') + 1);
      result += line.substr(0, line.rfind('|')) + "\n";
    }
    return result;
  }

  std::filesystem::path folder_;
  RunLog log_;
  ClassInfo info_;
  FieldUse field_;
  FieldUse end_field_;
  SiteTable sites_;
  std::uint32_t field_site_ = 0;
  std::uint32_t static_site_ = 0;
  std::uint32_t end_site_ = 0;
  std::uint32_t plain_site_ = 0;
  schedule::World world_;
  ClassTable classes_;
  TraceRecorder recorder_{sites_, classes_, log_};
  ThreadIndex main_{};
  std::string last_location_;
};

TEST_F(TraceRecorderTest, NamesVariablesByTheirFieldAndObject) {
  step(main_, {.kind = kRead, .object = object(5) | 2, .cookie = plain_site_});
  step(main_, {.kind = kWrite, .object = 27, .cookie = static_site_});
  step(main_, {.kind = kRead, .object = object(6) | 1, .extent = 2});
  step(main_, {.kind = kWrite, .object = object(4) | 27, .cookie = field_site_});
  EXPECT_EQ(finished(), "0|start\n0|r(array@5[2])\n0|w(a.B.x)\n0|r(array@6[1])\n0|r(array@6[2])\n0|w(a.B@4.x)\n");
  EXPECT_EQ(last_location_, "a/B.run()V@3:B.java:7\n");
}

// In a class and its superclass, or in the classes of two loaders.
TEST_F(TraceRecorderTest, TellsFieldsOfOneNameApart) {
  for (const std::uint64_t field : {27, 28, 27}) {
    step(main_, {.kind = kWrite, .object = object(4) | field, .cookie = field_site_});
  }
  EXPECT_EQ(finished(), "0|start\n0|w(a.B@4.x)\n0|w(a.B@4.x')\n0|w(a.B@4.x)\n");
}

// More of them than the recorder remembers at once.
TEST_F(TraceRecorderTest, KnowsAVariableAgainAfterAnyNumberOfOthers) {
  constexpr std::uint64_t kMany = 70'000;
  std::string wanted = "0|start\n";
  for (const std::uint64_t base : {object(5), object(6), object(5)}) {
    step(main_, {.kind = kWrite, .object = base, .extent = kMany, .cookie = plain_site_});
    const std::string name = base == object(5) ? "array@5[" : "array@6[";
    for (std::uint64_t i = 0; i < kMany; ++i) wanted += "0|w(" + name + std::to_string(i) + "])\n";
  }
  EXPECT_TRUE(finished() == wanted);
}

TEST_F(TraceRecorderTest, FoldsNestedMonitors) {
  for (const OperationKind kind : {kLock, kLock, kUnlock, kUnlock}) step(main_, {.kind = kind, .object = object(4)});
  EXPECT_EQ(finished(), "0|start\n0|acq(monitor@4)\n0|rel(monitor@4)\n");
}

TEST_F(TraceRecorderTest, TellsWhoWasNotified) {
  const ThreadIndex other = start(main_, object(2));
  step(other, {.kind = kLock, .object = object(4)});
  step(other, {.kind = kWaitBegin, .object = object(4)});
  world_.publish(other, {.kind = kWaitEnd, .object = object(4), .cookie = plain_site_});
  step(main_, {.kind = kLock, .object = object(4)});
  step(main_, {.kind = kNotifyAll, .object = object(4)});
  step(main_, {.kind = kNotify, .object = object(4)});
  step(main_, {.kind = kUnlock, .object = object(4)});
  execute(other);
  EXPECT_EQ(finished(),
            "0|start\n0|fork(0.1)\n0.1|start\n0.1|acq(monitor@4)\n0.1|wait(monitor@4)\n0|acq(monitor@4)\n"
            "0|notify(monitor@4,0.1)\n0|notify(monitor@4,)\n0|rel(monitor@4)\n0.1|wake(monitor@4)\n");
}

TEST_F(TraceRecorderTest, AnInterruptedWaitEndsBeforeTheInterruptIsSeen) {
  const ThreadIndex other = start(main_, object(2));
  step(other, {.kind = kLock, .object = object(4)});
  step(other, {.kind = kWaitBegin, .object = object(4)});
  world_.publish(other, {.kind = kWaitEnd, .object = object(4), .cookie = plain_site_});
  step(main_, {.kind = kInterrupt, .target = other});
  EXPECT_EQ(execute(other), Passage::kInterrupted);
  EXPECT_EQ(finished(),
            "0|start\n0|fork(0.1)\n0.1|start\n0.1|acq(monitor@4)\n0.1|wait(monitor@4)\n0|vw(interrupt:0.1)\n"
            "0.1|wake(monitor@4)\n0.1|vr(interrupt:0.1)\n");
}

TEST_F(TraceRecorderTest, SectionsOfUnwatchedCodeHandOnWhatTheyGuard) {
  const std::uint32_t unwatched = sites_.add({.in = &info_, .bytecode_index = 9, .line = 10, .sync_only = true});
  step(main_, {.kind = kLock, .object = object(4), .cookie = unwatched});
  step(main_, {.kind = kUnlock, .object = object(4), .cookie = unwatched});
  EXPECT_EQ(finished(), "0|start\n0|acq(monitor@4)\n0|vu(unseen@4)\n0|rel(monitor@4)\n");
}

TEST_F(TraceRecorderTest, WhoAsksAThreadGroupReadsWhatThoseWroteThatWereCounted) {
  ClassInfo group;
  group.name = "java/lang/ThreadGroup";
  group.methods = {{"threadTerminated", "(Ljava/lang/Thread;)V"}, {"activeCount", "()I"}};
  const std::uint32_t counts = sites_.add({.in = &group, .method = 0, .bytecode_index = 1, .sync_only = true});
  const std::uint32_t asks = sites_.add({.in = &group, .method = 1, .bytecode_index = 1, .sync_only = true});
  const ThreadIndex other = start(main_, object(2));
  for (const auto& [thread, site] : {std::pair(other, counts), {main_, counts}, {main_, asks}, {main_, asks}}) {
    step(thread, {.kind = kLock, .object = object(4), .cookie = site});
    step(thread, {.kind = kUnlock, .object = object(4), .cookie = site});
  }
  EXPECT_EQ(finished(),
            "0|start\n0|fork(0.1)\n0.1|start\n"
            "0.1|acq(monitor@4)\n0.1|vw(unseen@4:0.1)\n0.1|rel(monitor@4)\n"
            "0|acq(monitor@4)\n0|vw(unseen@4:0)\n0|rel(monitor@4)\n"
            "0|acq(monitor@4)\n0|vr(unseen@4:0.1)\n0|vr(unseen@4:0)\n0|rel(monitor@4)\n"
            "0|acq(monitor@4)\n0|rel(monitor@4)\n");
}

TEST_F(TraceRecorderTest, TellsVolatileFieldsApartHoweverTheyAreAccessed) {
  step(main_, {.kind = kVolatileWrite, .object = object(4) | kNumberedField});
  step(main_, {.kind = kVolatileWrite, .object = object(4) | kNumberedField, .cookie = field_site_});
  step(main_, {.kind = kVolatileWrite, .object = object(4) | 18, .cookie = field_site_});
  step(main_, {.kind = kVolatileWrite, .object = object(5) | 18});
  step(main_, {.kind = kVolatileWrite, .object = object(5) | 19});
  EXPECT_EQ(finished(), "0|start\n0|vw(a.C@4.y)\n0|vw(a.C@4.y)\n0|vw(a.B@4.x)\n0|vw(a.B@5.x)\n0|vw(field@5.19)\n");
}

TEST_F(TraceRecorderTest, APlainWriteOfAFieldThatIsUpdatedByCallsIsOneOfItsLocationToo) {
  step(main_, {.kind = kWrite, .object = object(4) | kNumberedField, .cookie = field_site_});
  step(main_, {.kind = kVolatileUpdate, .object = object(4) | kNumberedField, .cookie = plain_site_});
  step(main_, {.kind = kWrite, .object = object(4) | kNumberedField, .cookie = field_site_});
  step(main_, {.kind = kRead, .object = object(6) | kNumberedField, .cookie = plain_site_});
  EXPECT_EQ(finished(), "0|start\n0|w(a.C@4.y)\n0|vu(a.C@4.y)\n0|w(a.C@4.y)\n0|vw.plain(a.C@4.y)\n0|r(array@6[17])\n");
}

TEST_F(TraceRecorderTest, FieldsThatCannotBeToldApartHandOnWhatTheyFind) {
  step(main_, {.kind = kVolatileWrite, .object = object(4) | kSomeField});
  step(main_, {.kind = kVolatileRead, .object = object(4) | kSomeField});
  EXPECT_EQ(finished(), "0|start\n0|vu(fields@4)\n0|vr(fields@4)\n");
}

TEST_F(TraceRecorderTest, TheEndOfAThreadIsSeenThroughItsObject) {
  const ThreadIndex other = start(main_, object(2));
  step(main_, {.kind = kVolatileRead, .object = object(2) | 3, .cookie = end_site_});
  world_.publish(other, {.kind = kEnd, .object = object(2)});
  execute(other);
  step(main_, {.kind = kVolatileRead, .object = object(2) | 3, .cookie = end_site_});
  EXPECT_EQ(
      finished(),
      "0|start\n0|fork(0.1)\n0.1|start\n0|vr(java.lang.Thread@2.eetop)\n0.1|acq(monitor@2)\n0.1|notify(monitor@2,)\n"
      "0.1|rel(monitor@2)\n0.1|exit\n0|join(0.1)\n");
}

TEST_F(TraceRecorderTest, NamesVolatileLocations) {
  step(main_, {.kind = kVolatileRead, .object = object(4) | 9, .cookie = field_site_});
  step(main_, {.kind = kVolatileUpdate, .object = object(5) | 0x80000010});
  step(main_, {.kind = kVolatileUpdate, .object = object(5) | 0x80000014});
  step(main_, {.kind = kVolatileWrite, .object = 17, .cookie = static_site_});
  step(main_, {.kind = kVolatileWrite, .object = kInitialiserKey | 3});
  EXPECT_EQ(finished(), "0|start\n0|vr(a.B@4.x)\n0|vu(array@5+16)\n0|vu(array@5+20)\n0|vw(a.B.x)\n0|vw(class:3)\n");
}

TEST_F(TraceRecorderTest, PermitsAndInterrupts) {
  const ThreadIndex other = start(main_, object(2));
  step(main_, {.kind = kUnpark, .target = other});
  step(other, {.kind = kPark});
  step(main_, {.kind = kInterrupt, .target = other});
  step(other, {.kind = kSleep, .timeout = 1'000'000'000});
  EXPECT_EQ(finished(),
            "0|start\n0|fork(0.1)\n0.1|start\n0|unpark(permit:0.1)\n0.1|park(permit:0.1)\n0|vw(interrupt:0.1)\n"
            "0.1|vr(interrupt:0.1)\n");
}

TEST_F(TraceRecorderTest, AJdkLockIsToldAsALockAndNotAsWhatItIsMadeOf) {
  const auto lock = [&](LockEvent event, std::uint32_t site) {
    recorder_.on_lock(world_, main_, event, object(4), site, 0);
  };
  lock(LockEvent::kEnters, plain_site_);
  step(main_, {.kind = kVolatileUpdate, .object = object(4) | kSomeField});
  lock(LockEvent::kAcquired, plain_site_);
  lock(LockEvent::kAcquired, plain_site_);  // again
  lock(LockEvent::kTried, plain_site_);
  lock(LockEvent::kLeaves, plain_site_);
  step(main_, {.kind = kVolatileUpdate, .object = object(5) | kSomeField});
  lock(LockEvent::kReleasing, plain_site_);
  lock(LockEvent::kSharedAcquired, plain_site_);
  lock(LockEvent::kSharedAcquired, plain_site_);
  lock(LockEvent::kSharedReleasing, plain_site_);
  EXPECT_EQ(finished(), "0|start\n0|acq(lock@4)\n0|vu(fields@5)\n0|rel(lock@4)\n0|acqr(lock@4)\n0|relr(lock@4)\n");
}

TEST_F(TraceRecorderTest, WhoSeesTheStateOfAJdkLockIsBehindItsSections) {
  const ThreadIndex other = start(main_, object(2));
  const auto lock = [&](ThreadIndex thread, LockEvent event) {
    recorder_.on_lock(world_, thread, event, object(4), plain_site_, 0);
  };
  lock(other, LockEvent::kAcquired);
  lock(main_, LockEvent::kTried);
  lock(other, LockEvent::kReleasing);
  lock(main_, LockEvent::kLooked);
  EXPECT_EQ(finished(),
            "0|start\n0|fork(0.1)\n0.1|start\n0.1|acq(lock@4)\n0.1|vw(past:0.1)\n0|vr(past:0.1)\n0|vu(order@4)\n"
            "0.1|vu(order@4)\n0.1|rel(lock@4)\n0.1|vu(order@4)\n0|vu(order@4)\n");
}

TEST_F(TraceRecorderTest, WhoWaitsOrHasEndedHasLeftItsPast) {
  const ThreadIndex other = start(main_, object(2));
  const auto lock = [&](ThreadIndex thread, LockEvent event) {
    recorder_.on_lock(world_, thread, event, object(4), plain_site_, 0);
  };
  lock(other, LockEvent::kAcquired);
  lock(other, LockEvent::kReleasing);
  step(other, {.kind = kLock, .object = object(7)});
  step(other, {.kind = kWaitBegin, .object = object(7)});
  lock(main_, LockEvent::kLooked);
  EXPECT_EQ(finished(),
            "0|start\n0|fork(0.1)\n0.1|start\n0.1|acq(lock@4)\n0.1|rel(lock@4)\n0.1|acq(monitor@7)\n0.1|vw(past:0.1)\n"
            "0.1|wait(monitor@7)\n0|vr(past:0.1)\n0|vu(order@4)\n");
}

TEST_F(TraceRecorderTest, WhatIsDoneWithAConditionKeepsItsOrder) {
  const auto lock = [&](LockEvent event) {
    recorder_.on_lock(world_, main_, event, object(4), plain_site_, object(6));
  };
  lock(LockEvent::kAcquired);
  lock(LockEvent::kAwaits);
  lock(LockEvent::kReleasing);
  lock(LockEvent::kAcquired);
  lock(LockEvent::kAwaited);
  lock(LockEvent::kSignals);
  EXPECT_EQ(finished(),
            "0|start\n0|acq(lock@4)\n0|vu(condition@6)\n0|rel(lock@4)\n0|vu(condition@6)\n0|acq(lock@4)\n"
            "0|vu(condition@6)\n");
}

TEST_F(TraceRecorderTest, APermitFromWithinALockIsTakenBehindWhoGaveIt) {
  const ThreadIndex other = start(main_, object(2));
  recorder_.on_lock(world_, other, LockEvent::kEnters, object(4), plain_site_, 0);
  step(other, {.kind = kUnpark, .target = main_});
  recorder_.on_lock(world_, other, LockEvent::kLeaves, object(4), plain_site_, 0);
  step(main_, {.kind = kPark});
  EXPECT_EQ(finished(), "0|start\n0|fork(0.1)\n0.1|start\n0.1|vw(past:0.1)\n0|vr(past:0.1)\n0|park(permit:0)\n");
}

// Told once to each other thread; of an object that was not frozen there is nothing to tell.
TEST_F(TraceRecorderTest, WhoReadsAFinalFieldComesBehindTheConstructor) {
  const ThreadIndex other = start(main_, object(2));
  const auto read = [&](ThreadIndex thread, std::uint64_t number) {
    step(thread, {.kind = kVolatileRead, .object = object(number) | kFreezeOf, .cookie = field_site_});
  };
  read(other, 4);
  step(main_, {.kind = kVolatileWrite, .object = object(4) | kFreezeOf});
  read(main_, 4);
  read(other, 4);
  read(other, 4);
  read(other, 5);
  step(main_, {.kind = kVolatileWrite, .object = object(4) | kFreezeOf});
  read(other, 4);
  EXPECT_EQ(finished(),
            "0|start\n0|fork(0.1)\n0.1|start\n0|vw(freeze@4)\n0.1|vr(freeze@4)\n0|vu(freeze@4)\n0.1|vr(freeze@4)\n");
}

TEST_F(TraceRecorderTest, AStampedLockIsALockWithAVersion) {
  const auto lock = [&](LockEvent event) { recorder_.on_lock(world_, main_, event, object(4), plain_site_, 0); };
  lock(LockEvent::kWriteStamped);
  lock(LockEvent::kWriteGone);
  lock(LockEvent::kReadStamped);
  lock(LockEvent::kReadStamped);  // another hold
  lock(LockEvent::kReadGone);
  lock(LockEvent::kSeesVersion);
  lock(LockEvent::kReadGone);
  EXPECT_EQ(finished(),
            "0|start\n0|acq(lock@4)\n0|vw(version@4)\n0|vw(version@4)\n0|rel(lock@4)\n0|acqr(lock@4)\n"
            "0|vr(version@4)\n0|relr(lock@4)\n");
}

TEST_F(TraceRecorderTest, AStampIsConvertedWithNobodyBetween) {
  const auto lock = [&](LockEvent event) { recorder_.on_lock(world_, main_, event, object(4), plain_site_, 0); };
  lock(LockEvent::kWriteValid);
  lock(LockEvent::kDowngraded);
  lock(LockEvent::kUpgraded);
  EXPECT_EQ(finished(),
            "0|start\n0|acq(lock@4)\n0|vr(version@4)\n0|vw(version@4)\n0|acqr(lock@4)\n0|vw(version@4)\n0|rel(lock@4)\n"
            "0|vu(order@4)\n0|vu(order@4)\n0|relr(lock@4)\n0|vu(order@4)\n0|vu(order@4)\n0|acq(lock@4)\n0|vu(order@4)\n"
            "0|vw(version@4)\n");
}

TEST_F(TraceRecorderTest, AStampThatIsGivenBackByAnotherThreadEndsTheSectionsOfTheLock) {
  const ThreadIndex other = start(main_, object(2));
  const auto lock = [&](ThreadIndex thread, LockEvent event) {
    recorder_.on_lock(world_, thread, event, object(4), plain_site_, 0);
  };
  lock(other, LockEvent::kWriteStamped);
  lock(main_, LockEvent::kWriteGone);
  lock(other, LockEvent::kReadStamped);
  lock(main_, LockEvent::kReadGone);
  lock(main_, LockEvent::kWriteStamped);
  EXPECT_EQ(finished(),
            "0|start\n0|fork(0.1)\n0.1|start\n0.1|acq(lock@4)\n0.1|vw(version@4)\n"
            "0.1|vw(past:0.1)\n0|vr(past:0.1)\n0|vu(order@4)\n0|vw(version@4)\n0|vu(order@4)\n"
            "0.1|vu(order@4)\n0|vu(order@4)\n0|vu(order@4)\n0|vw(version@4)\n");
}

TEST_F(TraceRecorderTest, AtomicMethodsAreRegions) {
  const std::uint32_t unit = sites_.add({.in = &info_, .is_unit = true});
  const RegionMark enter{unit, true, false};
  const RegionMark leave{unit, false, false};
  recorder_.on_regions(world_, main_, std::vector<RegionMark>{leave, enter});
  step(main_, {.kind = kWrite, .object = object(4) | 27, .cookie = field_site_});
  recorder_.on_regions(world_, main_, std::vector<RegionMark>{enter, leave});
  world_.publish(main_, {.kind = kEnd, .object = object(1)});
  execute(main_);
  EXPECT_EQ(finished(),
            "0|start\n0|begin(a.B.run)\n0|w(a.B@4.x)\n0|begin(a.B.run)\n0|end(a.B.run)\n0|acq(monitor@1)\n"
            "0|notify(monitor@1,)\n0|rel(monitor@1)\n0|end(a.B.run)\n0|exit\n");
}

// Class loading has a begin and an end too, which nest with those of methods; what is called there is its own affair.
TEST_F(TraceRecorderTest, MethodsAreTold) {
  const std::uint32_t told = sites_.add({.in = &info_, .is_unit = true, .is_told = true});
  const RegionMark enter{told, true, false};
  const RegionMark leave{told, false, false};
  const RegionMark enter_apart{told, true, true};
  const RegionMark leave_apart{told, false, true};
  recorder_.on_regions(world_, main_, std::vector<RegionMark>{enter});
  world_.set_unscheduled(main_, true);
  step(main_, {.kind = kWrite, .object = object(4) | 27, .cookie = field_site_});
  world_.set_unscheduled(main_, false);
  recorder_.on_regions(world_, main_, std::vector<RegionMark>{enter_apart, leave_apart, leave, enter});
  world_.set_unscheduled(main_, true);
  step(main_, {.kind = kWrite, .object = object(4) | 27, .cookie = field_site_});
  world_.set_unscheduled(main_, false);
  world_.publish(main_, {.kind = kEnd});
  execute(main_);
  EXPECT_EQ(finished(),
            "0|start\n0|enter(a.B.run)\n0|begin(a.B.run)\n0|enter((unscheduled))\n0|w(a.B@4.x)\n0|begin(a.B.run)\n"
            "0|end(a.B.run)\n0|leave((unscheduled))\n0|end(a.B.run)\n0|leave(a.B.run)\n0|enter(a.B.run)\n"
            "0|begin(a.B.run)\n0|enter((unscheduled))\n0|w(a.B@4.x)\n0|leave((unscheduled))\n0|end(a.B.run)\n"
            "0|leave(a.B.run)\n0|exit\n");
}

// docs/trace.md says how much a process that is killed may lose.
TEST_F(TraceRecorderTest, OfARunThatIsKilledAllButTheLastEventsAreThere) {
  constexpr std::uint32_t kMostLost = 32'768;
  for (std::uint32_t told = 10'000; told < 300'000; told += 10'000) {
    step(main_, {.kind = kWrite, .object = object(6), .extent = 10'000});
    Result<trace::Loaded> loaded = trace::load(log_.folder() + "/trace");
    ASSERT_TRUE(loaded.ok() && loaded.value().problems.none());
    ASSERT_GE(loaded.value().trace.events.size() + kMostLost, told);
  }
}

// Accesses that were made ahead become the events that they become one by one, with locks, class loading and fields
// that calls access in between.
TEST_F(TraceRecorderTest, AccessesMadeAheadAreThoseToldOneByOne) {
  const std::uint32_t silent_site = sites_.add({.in = &info_, .field = &field_, .bytecode_index = 8, .silent = true});
  std::string texts[2];
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    for (const bool ahead : {false, true}) {
      Random random(seed);
      TraceRecorder recorder(sites_, classes_, log_);
      ASSERT_TRUE(recorder.start().ok());
      schedule::World world;
      const ThreadIndex threads[] = {world.add_root(false), world.add_root(false)};
      for (int batch = 0; batch < 40; ++batch) {
        const ThreadIndex thread = threads[random.below(2)];
        world.set_unscheduled(thread, random.one_in(5));
        const LockEvent call = random.one_in(2) ? LockEvent::kEnters : LockEvent::kLeaves;
        if (random.one_in(4)) recorder.on_lock(world, thread, call, object(4), plain_site_, 0);
        std::vector<AheadBuffer::Entry> entries;
        schedule::AccessCounts counts;
        for (std::uint32_t i = random.below(30); i > 0; --i) {
          const std::uint32_t site[] = {field_site_, silent_site, static_site_, plain_site_, plain_site_, 0};
          const std::uint32_t at = site[random.below(6)];
          const bool is_element = at == plain_site_;
          const std::uint64_t holder =
              at == static_site_ || random.one_in(20) ? 0 : object((is_element ? 50 : 5) + random.below(4));
          auto kind = static_cast<OperationKind>(static_cast<std::uint32_t>(kRead) +
                                                 (random.one_in(3) ? random.below(5) : random.below(2)));
          std::uint64_t part = is_element ? random.below(20) : 27 + random.below(2);
          if (random.one_in(4) || at == 0) {
            part = kFreezeOf;
            kind = random.one_in(4) ? kVolatileWrite : kVolatileRead;
          }
          const std::uint32_t extent = is_element && part != kFreezeOf && random.one_in(4) ? 1 + random.below(9) : 1;
          entries.push_back({holder | part, at, static_cast<std::uint32_t>(kind) << AheadBuffer::kKindShift | extent});
          counts.add(at == silent_site);
        }
        if (ahead) {
          const schedule::AccessCounts told = recorder.on_accesses(world, thread, entries);
          ASSERT_EQ(std::tuple(told.steps, told.silent, told.silent_last),
                    std::tuple(counts.steps, counts.silent, counts.silent_last));
          continue;
        }
        for (const AheadBuffer::Entry& entry : entries) {
          recorder.on_operation(
              world, thread,
              {.kind = entry.kind(), .object = entry.object, .extent = entry.extent(), .cookie = entry.site},
              Passage::kGranted);
        }
      }
      recorder.finish();
      Result<trace::Loaded> loaded = trace::load(log_.folder() + "/trace");
      ASSERT_TRUE(loaded.ok() && loaded.value().problems.none() && loaded.value().notes.empty());
      texts[ahead] = trace::text_of(loaded.value().trace);
    }
    ASSERT_EQ(texts[0], texts[1]) << "seed " << seed;
  }
}

struct Told final : EventSink {
  void on_event(const schedule::World&, ThreadIndex, model::EventKind kind, model::SiteId site, std::uint64_t,
                bool soft) override {
    text += std::string(model::event_kind_name(kind)) + " " + std::to_string(to_number(site)) + (soft ? " soft;" : ";");
  }
  std::string text;
};

// Who wants to compare is not told what depends on who comes first.
TEST_F(TraceRecorderTest, WhatIsNotScheduledIsMarkedAndNotTold) {
  Told told;
  ClassInfo library;
  library.name = "java/util/C";
  library.source = "C.java";
  library.methods = {{"m", "()V"}};
  const std::uint32_t library_site = sites_.add({.in = &library, .bytecode_index = 1, .line = 2, .stable = 77});
  TraceRecorder recorder(sites_, classes_, log_, &told);
  ASSERT_TRUE(recorder.start().ok());
  const auto tell = [&](Operation op) {
    world_.publish(main_, op);
    const Passage passage = world_.execute(main_, [](ThreadIndex, std::uint32_t) { return 0u; });
    recorder.on_operation(world_, main_, op, passage);
  };
  tell({.kind = kLock, .object = object(4), .cookie = library_site});
  world_.set_unscheduled(main_, true);
  tell({.kind = kLock, .object = object(5), .cookie = library_site});
  tell({.kind = kUnlock, .object = object(5), .cookie = library_site});
  world_.set_unscheduled(main_, false);
  tell({.kind = kVolatileRead, .object = kInitialiserKey | 3});
  tell({.kind = kUnlock, .object = object(4), .cookie = library_site});
  recorder.finish();
  const std::string kinds[] = {model::event_kind_name(model::EventKind::kAcquire),
                               model::event_kind_name(model::EventKind::kRelease)};
  EXPECT_EQ(told.text, kinds[0] + " 77 soft;" + kinds[1] + " 77 soft;");
  Result<trace::Loaded> loaded = trace::load(log_.folder() + "/trace");
  ASSERT_TRUE(loaded.ok());
  std::string marks;
  for (const model::Event& event : loaded.value().trace.events) {
    if (event.kind == model::EventKind::kMethodEnter) marks += "(";
    if (event.kind == model::EventKind::kMethodExit) marks += ")";
    if (event.kind == model::EventKind::kAcquire) marks += "a";
  }
  EXPECT_EQ(marks, "a(a)");
}

}  // namespace
}  // namespace deadheat::agent
