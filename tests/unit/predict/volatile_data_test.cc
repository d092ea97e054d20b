// SPDX-License-Identifier: Apache-2.0
#include "predict/volatile_data.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "predict/enclosing_unit.h"
#include "predict/findings.h"

namespace deadheat::predict {
namespace {

using model::EventKind;

class VolatileDataTest : public testing::Test {
 protected:
  void add(std::uint32_t thread, EventKind kind, std::uint64_t object = 0, std::uint32_t site = 0) {
    trace_.events.push_back(
        {.kind = kind, .thread = model::ThreadId{thread}, .site = model::SiteId{site}, .object = object});
  }
  std::uint64_t sync(std::string_view name) { return trace_.syncs.number(std::string(name)); }
  std::uint32_t site(std::string_view text) { return trace_.sites.number(std::string(text)); }
  std::size_t violations() {
    std::size_t count = 0;
    for (const Finding& finding : predict_all(trace_, {}).findings) {
      count += finding.pattern != nullptr && finding.pattern->kind == PatternKind::kAtomicityViolation;
    }
    return count;
  }
  // A region of the thread that reads the location and writes it.
  void add_update(std::uint32_t thread, std::uint64_t location) {
    add(thread, EventKind::kRegionEnter, 1);
    add(thread, EventKind::kVolatileRead, location, 1);
    add(thread, EventKind::kVolatileWrite, location, 2);
    add(thread, EventKind::kRegionExit, 1);
  }

  static constexpr std::string_view kIncrement =
      "java/util/concurrent/atomic/AtomicInteger.incrementAndGet()I@1:AtomicInteger.java:218";
  trace::Trace trace_;
};

TEST_F(VolatileDataTest, AreTheVariablesThatTwoThreadsAccessAndOneWrites) {
  const std::uint64_t shared = sync("a.B@1.x");
  add(3, EventKind::kRegionEnter, 1);
  add(1, EventKind::kWrite, 5);
  add(1, EventKind::kVolatileWrite, shared);
  add(1, EventKind::kVolatileWrite, sync("a.B@1.own"));
  add(1, EventKind::kVolatileRead, sync("a.B@1.read"));
  add(2, EventKind::kVolatileRead, sync("a.B@1.read"));
  add(2, EventKind::kVolatileRead, shared);
  const auto data = volatile_data(trace_);
  ASSERT_TRUE(data);
  EXPECT_EQ(data->is_converted, (std::vector<bool>{false, false, false, true, false, false, false, true}));
  EXPECT_EQ(data->trace.events[2].kind, EventKind::kWrite);
  EXPECT_EQ(data->trace.events[6].kind, EventKind::kRead);
  EXPECT_EQ(data->trace.events[2].object, data->trace.events[6].object);
  EXPECT_GT(data->trace.events[2].object, 5u) << "not one of the plain variables";
  EXPECT_FALSE(data->has_updates);
}

// A counter that is changed under a lock is volatile for those who read it without.
TEST_F(VolatileDataTest, ACriticalSectionAloneIsNotMeant) {
  add(1, EventKind::kAcquire, sync("lock"));
  add(1, EventKind::kVolatileRead, sync("a.B@1.x"), 1);
  add(1, EventKind::kVolatileWrite, sync("a.B@1.x"), 2);
  add(1, EventKind::kRelease, sync("lock"));
  add(2, EventKind::kVolatileWrite, sync("a.B@1.x"), 3);
  EXPECT_FALSE(volatile_data(trace_));
  EXPECT_EQ(violations(), 0u);
  add(2, EventKind::kRegionEnter, 1);
  add(2, EventKind::kRegionExit, 1);
  EXPECT_TRUE(volatile_data(trace_));
  EXPECT_EQ(violations(), 0u);
}

TEST_F(VolatileDataTest, WhatTheRecorderHasMadeUpIsNone) {
  add(3, EventKind::kRegionEnter, 1);
  for (const char* name : {"order@1", "class:4", "freeze@2", "fields@9", "interrupt:0.1"}) {
    add(1, EventKind::kVolatileWrite, sync(name));
    add(2, EventKind::kVolatileWrite, sync(name));
  }
  EXPECT_FALSE(volatile_data(trace_));
}

TEST_F(VolatileDataTest, WhatTheJdkUsesForItselfIsNoneAndAtomicClassesHaveDataOfTheProgram) {
  add(3, EventKind::kRegionEnter, 1);
  const std::uint32_t map = site("java/util/concurrent/ConcurrentHashMap.tabAt()V@1:ConcurrentHashMap.java:1");
  add(1, EventKind::kVolatileWrite, sync("array@1+16"), map);
  add(2, EventKind::kVolatileRead, sync("array@1+16"), map);
  EXPECT_FALSE(volatile_data(trace_));
  const std::uint32_t add_one = site("java/util/concurrent/atomic/AtomicInteger.incrementAndGet()I@1:A.java:1");
  add(1, EventKind::kVolatileUpdate, sync("java.util.concurrent.atomic.AtomicInteger@3.value"), add_one);
  add(2, EventKind::kVolatileUpdate, sync("java.util.concurrent.atomic.AtomicInteger@3.value"), add_one);
  const auto data = volatile_data(trace_);
  ASSERT_TRUE(data);
  EXPECT_TRUE(data->has_updates);
  EXPECT_FALSE(data->is_converted[2]);
}

// `do { o = a.get(); } while (!a.compareAndSet(o, o + 1));` is right.
TEST_F(VolatileDataTest, WhatIsComparedAndSetIsNone) {
  for (const std::uint32_t thread : {1, 2}) {
    add(thread, EventKind::kRegionEnter, 1);
    add(thread, EventKind::kVolatileRead, sync("a.B@1.x"), site("a/B.m()V@1:B.java:1"));
    add(thread, EventKind::kVolatileUpdate, sync("a.B@1.x"), site("a/B.m()V@2:B.java:2"));
    add(thread, EventKind::kRegionExit, 1);
  }
  EXPECT_FALSE(volatile_data(trace_));
  EXPECT_EQ(violations(), 0u);
}

TEST_F(VolatileDataTest, AnUpdateOfAVolatileFieldCanBeLost) {
  add_update(1, sync("a.B@1.x"));
  add_update(2, sync("a.B@1.x"));
  const Predictions predictions = predict_all(trace_, {});
  std::size_t lost = 0;
  for (const Finding& finding : predictions.findings) {
    if (finding.pattern == nullptr) continue;
    EXPECT_NE(finding.pattern->kind, PatternKind::kDataRace);
    if (finding.pattern->name != "stale-update") continue;
    ++lost;
    EXPECT_TRUE(finding.schedule);
  }
  EXPECT_EQ(lost, 1u);
}

TEST_F(VolatileDataTest, AnAtomicUpdateIsOneStep) {
  for (const std::uint32_t thread : {1, 2}) {
    add(thread, EventKind::kRegionEnter, 1);
    add(thread, EventKind::kVolatileUpdate, sync("v"), site(kIncrement));
    add(thread, EventKind::kRegionExit, 1);
  }
  EXPECT_EQ(violations(), 0u);
}

// `if (a.get() < most) a.incrementAndGet();`. What an update finds is not kept in the converted trace.
TEST_F(VolatileDataTest, ACheckBeforeAnAtomicUpdateIsACandidate) {
  for (const std::uint32_t thread : {1, 2}) {
    add(thread, EventKind::kRegionEnter, 1);
    add(thread, EventKind::kVolatileRead, sync("v"),
        site("java/util/concurrent/atomic/AtomicInteger.get()I@1:A.java:1"));
    add(thread, EventKind::kVolatileUpdate, sync("v"), site(kIncrement));
    add(thread, EventKind::kRegionExit, 1);
  }
  EXPECT_GT(violations(), 0u);
  for (const Finding& finding : predict_all(trace_, {}).findings) {
    if (finding.pattern != nullptr) {
      EXPECT_EQ(finding.label, Label::kCandidate);
    }
  }
}

TEST_F(VolatileDataTest, LinesOfAtomicClassesAreToldApartByTheUnitsThatUseThem) {
  trace_.sites.number("java/util/concurrent/atomic/AtomicInteger.get()I@1:AtomicInteger.java:90");
  trace_.sites.number("java/util/concurrent/atomic/AtomicInteger.set(I)V@2:AtomicInteger.java:100");
  for (const std::uint64_t region : {1, 2}) {
    const std::uint64_t value = sync("java.util.concurrent.atomic.AtomicInteger@" + std::to_string(region) + ".value");
    for (const std::uint32_t thread : {1, 2}) {
      add(thread, EventKind::kRegionEnter, region);
      add(thread, EventKind::kVolatileRead, value, 1);
      add(thread, EventKind::kVolatileWrite, value, 2);
      add(thread, EventKind::kRegionExit, region);
    }
  }
  std::size_t stale = 0;
  for (const Finding& finding : predict_all(trace_, {}).findings) {
    stale += finding.pattern != nullptr && finding.pattern->name == "stale-update";
  }
  EXPECT_EQ(stale, 2u);
}

// A check of one end of a range before the other is set, by both threads.
TEST_F(VolatileDataTest, TwoVariablesBelongTogetherIfTheyAreFieldsOfOneObject) {
  const auto skewed = [&](std::string_view first, std::string_view second) {
    trace_ = {};
    for (const std::uint32_t thread : {1, 2}) {
      add(thread, EventKind::kRegionEnter, thread);
      add(thread, EventKind::kVolatileRead, sync(thread == 1 ? first : second));
      add(thread, EventKind::kVolatileWrite, sync(thread == 1 ? second : first));
      add(thread, EventKind::kRegionExit, thread);
    }
    const auto findings = predict_all(trace_, {}).findings;
    return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
      return finding.pattern != nullptr && finding.pattern->kind == PatternKind::kNotSerialisable;
    });
  };
  EXPECT_TRUE(skewed("a.B@1.lower", "a.B@1.upper"));
  EXPECT_FALSE(skewed("a.B@1.lower", "a.B@2.upper"));
  EXPECT_FALSE(
      skewed("java.util.concurrent.atomic.AtomicLong@1.value", "java.util.concurrent.atomic.AtomicLong@2.value"));
}

TEST_F(VolatileDataTest, AnEventIsInTheInnermostOpenRegionOrElseUnderTheLastLock) {
  add(1, EventKind::kAcquire, 7);
  add(1, EventKind::kRegionEnter, 1);
  add(1, EventKind::kRegionEnter, 2);
  add(1, EventKind::kRegionExit, 2);
  add(2, EventKind::kRegionEnter, 3);
  add(1, EventKind::kRead, 1);  // 6
  add(1, EventKind::kRegionExit, 1);
  add(1, EventKind::kAcquire, 8);
  add(1, EventKind::kRelease, 8);
  add(1, EventKind::kRead, 1);  // 10
  add(1, EventKind::kRelease, 7);
  add(1, EventKind::kRead, 1);  // 12
  EXPECT_EQ(enclosing_unit(trace_, 6), 2u);
  EXPECT_EQ(enclosing_unit(trace_, 10), 1u);
  EXPECT_EQ(enclosing_unit(trace_, 12), 0u);
}

}  // namespace
}  // namespace deadheat::predict
