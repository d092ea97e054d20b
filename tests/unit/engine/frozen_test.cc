// SPDX-License-Identifier: Apache-2.0
#include "engine/frozen.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/access.h"
#include "engine/engine.h"
#include "engine/sync.h"

namespace deadheat::engine {
namespace {

constexpr model::SiteId kSite{1};

class FrozenTest : public ::testing::Test {
 protected:
  ThreadState& begin() { return *engine_.begin_thread(kNeverReleased, model::ThreadId{++threads_}); }
  static ShadowWord write(ThreadState& ts) { return on_write(ts, kNeverAccessed, kNeverAccessed, kSite).word; }
  static std::uint32_t conflicts_of_read(ThreadState& ts, ShadowWord w) {
    return on_read(ts, w, kNeverAccessed, kSite).conflicts;
  }

  Engine engine_;
  std::uint32_t threads_ = 0;
};

TEST_F(FrozenTest, ExcusesReadsOfWhatIsOlder) {
  ThreadState &maker = begin(), &reader = begin(), &other = begin();
  const ShadowWord before = write(maker);
  const SyncWord frozen = freeze(maker);
  const ShadowWord after = write(maker);
  EXPECT_EQ(conflicts_of_read(reader, before), 1u) << "the freeze has not been seen";
  on_frozen_read(reader, frozen);
  EXPECT_EQ(conflicts_of_read(reader, before), 0u);
  EXPECT_EQ(conflicts_of_read(reader, after), 1u);
  EXPECT_EQ(on_write(reader, before, kNeverAccessed, kSite).conflicts, 1u) << "reads only";
  EXPECT_EQ(conflicts_of_read(other, before), 1u) << "one thread only";
  EXPECT_EQ(engine_.stats().rules[static_cast<std::size_t>(Rule::kFrozenRead)], 1u);
}

TEST_F(FrozenTest, IsNoAcquire) {
  ThreadState &maker = begin(), &reader = begin(), &third = begin();
  const ShadowWord before = write(maker);
  on_frozen_read(reader, freeze(maker));
  acquire(third, release(reader));
  EXPECT_FALSE(reader.is_ordered(before));
  EXPECT_EQ(conflicts_of_read(third, before), 1u);
}

TEST_F(FrozenTest, StandsForAllTheMakerKnew) {
  ThreadState &writer = begin(), &maker = begin(), &reader = begin();
  const ShadowWord first = write(writer);
  acquire(maker, release(writer));
  const SyncWord frozen = freeze(maker);
  const ShadowWord second = write(writer);
  acquire(maker, release(writer));
  on_frozen_read(reader, frozen);
  EXPECT_EQ(conflicts_of_read(reader, first), 0u);
  EXPECT_EQ(conflicts_of_read(reader, second), 1u);
}

TEST_F(FrozenTest, ReadsStayOnRecordAcrossAFreeze) {
  ThreadState &maker = begin(), &writer = begin();
  const ShadowWord read = on_read(maker, kNeverAccessed, kNeverAccessed, kSite).word;
  freeze(maker);
  EXPECT_EQ(on_read(maker, kNeverAccessed, read, kSite).word, read);
  // A release without news publishes that read, but not the next one.
  const SyncWord released = release(maker);
  const ShadowWord next = on_read(maker, kNeverAccessed, read, kSite).word;
  EXPECT_NE(next, read);
  acquire(writer, released);
  EXPECT_EQ(on_write(writer, kNeverAccessed, read, kSite).conflicts, 0u);
  EXPECT_EQ(on_write(writer, kNeverAccessed, next, kSite).conflicts, 1u);
}

// ---- against the definition ----------------------------------------------------------------------------------------

constexpr std::uint32_t kThreads = 4, kVariables = 3, kLocks = 2, kOwners = 3;

using Clock = std::array<std::uint32_t, kThreads>;
void join(Clock& into, const Clock& from) {
  for (std::uint32_t i = 0; i < kThreads; ++i) into[i] = std::max(into[i], from[i]);
}

struct Step {
  enum Kind : std::uint8_t { kRead, kWrite, kPass, kAcquire, kReleaseJoin, kFreeze, kFrozenRead, kCount } kind;
  std::uint32_t thread;
  std::uint32_t object;
};

// Every access ever made, full clocks, and for each thread what the freezes it has seen stand for.
class Definition {
 public:
  // Whether the step is an access in a race with an earlier one.
  bool take(const Step& step) {
    Clock& own = known_[step.thread];
    const std::uint32_t now = ++own[step.thread];
    switch (step.kind) {
      case Step::kRead:
      case Step::kWrite:
        return access(step, now);
      case Step::kPass:
        join(own, locks_[step.object]);
        locks_[step.object] = own;
        break;
      case Step::kAcquire:
        join(own, locks_[step.object]);
        break;
      case Step::kReleaseJoin:
        join(locks_[step.object], own);
        break;
      case Step::kFreeze:
        owners_[step.object] = own;
        break;
      default:
        join(frozen_[step.thread], owners_[step.object]);
    }
    return false;
  }

 private:
  struct Access {
    std::uint32_t thread;
    std::uint32_t clock;
    bool is_write;
  };
  bool access(const Step& step, std::uint32_t now) {
    const bool is_write = step.kind == Step::kWrite;
    bool racy = false;
    for (const Access& past : variables_[step.object]) {
      const bool excused = !is_write && frozen_[step.thread][past.thread] >= past.clock;
      racy |= (is_write || past.is_write) && known_[step.thread][past.thread] < past.clock && !excused;
    }
    variables_[step.object].push_back({step.thread, now, is_write});
    return racy;
  }

  std::array<Clock, kThreads> known_{}, frozen_{};
  std::array<Clock, kLocks> locks_{};
  std::array<Clock, kOwners> owners_{};
  std::array<std::vector<Access>, kVariables> variables_;
};

class Subject {
 public:
  Subject(std::uint32_t moves, bool fast_path) : engine_(options(moves)), fast_path_(fast_path) {
    for (ThreadState*& ts : threads_) ts = engine_.begin_thread(kNeverReleased, model::ThreadId{++begun_});
  }
  bool take(const Step& step) {
    ThreadState& ts = *threads_[step.thread];
    auto& [w, r] = words_[step.object];
    switch (step.kind) {
      case Step::kRead: {
        if (fast_path_ && (epoch_of(r) == ts.read_epoch || epoch_of(w) == ts.epoch || r == ts.last_shared_ok))
          return false;
        const AccessResult result = on_read(ts, w, r, kSite);
        r = result.word;
        return result.conflicts > 0;
      }
      case Step::kWrite: {
        if (fast_path_ && epoch_of(w) == ts.epoch) return false;
        const AccessResult result = on_write(ts, w, r, kSite);
        w = result.word;
        if (result.clear_read) r = fast_path_ ? make_write_mark(ts.read_epoch) : kNeverAccessed;
        return result.conflicts > 0;
      }
      case Step::kPass:
        locks_[step.object] = acquire_release(ts, locks_[step.object]);
        return false;
      case Step::kAcquire:
        acquire(ts, locks_[step.object]);
        return false;
      case Step::kReleaseJoin: {
        const SyncWord old = locks_[step.object];
        locks_[step.object] = release_join(ts, old);
        discard(ts, old, locks_[step.object]);
        return false;
      }
      case Step::kFreeze:
        owners_[step.object] = freeze(ts);
        return false;
      default:
        if (!(fast_path_ && ts.is_ordered(epoch_of(owners_[step.object])))) on_frozen_read(ts, owners_[step.object]);
        return false;
    }
  }

 private:
  static EngineOptions options(std::uint32_t moves) {
    EngineOptions options;
    options.max_slots = 8;
    options.read_set_moves = moves;
    return options;
  }
  struct Words {
    ShadowWord w = kNeverAccessed;
    ShadowWord r = kNeverAccessed;
  };
  Engine engine_;
  const bool fast_path_;
  std::uint32_t begun_ = 0;
  std::array<ThreadState*, kThreads> threads_{};
  std::array<SyncWord, kLocks> locks_{};
  std::array<SyncWord, kOwners> owners_{};
  std::array<Words, kVariables> words_{};
};

std::string to_text(const std::vector<Step>& steps) {
  static constexpr const char* kNames[] = {"read", "write", "pass", "acquire", "release", "freeze", "frozen"};
  std::string text;
  for (const Step& step : steps) {
    text += "t" + std::to_string(step.thread) + " " + kNames[step.kind] + " " + std::to_string(step.object) + "\n";
  }
  return text;
}

TEST(FrozenRandom, FirstRacesAreThoseOfTheDefinition) {
  std::uint64_t races = 0;
  for (std::uint64_t seed = 1; seed <= 60'000; ++seed) {
    Random random(seed);
    Definition definition;
    Subject subject(1u << random.below(6), random.one_in(2));
    std::array<bool, kVariables> over{};
    std::vector<Step> steps;
    const std::uint32_t length = 10 + random.below(50);
    for (std::uint32_t i = 0; i < length; ++i) {
      const auto kind = static_cast<Step::Kind>(
          random.one_in(2) ? random.below(2) : random.below(static_cast<std::uint32_t>(Step::kCount)));
      static constexpr std::uint32_t kObjects[] = {kVariables, kVariables, kLocks, kLocks, kLocks, kOwners, kOwners};
      steps.push_back({kind, random.below(kThreads), random.below(kObjects[kind])});
      const bool is_access = kind == Step::kRead || kind == Step::kWrite;
      const bool expected = definition.take(steps.back());
      const bool found = subject.take(steps.back());
      if (!is_access || over[steps.back().object]) continue;
      ASSERT_EQ(found, expected) << "seed " << seed << "\n" << to_text(steps);
      over[steps.back().object] = expected;
      races += expected;
    }
  }
  EXPECT_GT(races, 10'000u);
}

}  // namespace
}  // namespace deadheat::engine
