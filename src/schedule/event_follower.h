// SPDX-License-Identifier: Apache-2.0
//
// Carries out a schedule of events (event_script.h) and says what came of it: after PECAN (ISSTA 2011), sections 6.3
// and 7. The next thread is always the one whose event is next in the script; what each thread really does is told by
// the host (on_event) and compared. The anomaly is *created* when its events have happened in their order, on variables
// that are equal and different as they should be; for a race, when both threads stand before their accesses at one
// moment, both free to go. After that, threads run in random slices to the end of the program.
//
// A thread may be ahead of the script: operations that offer no switch (letting go of a monitor) happen when they
// happen, and whoever holds what the next thread waits for goes on until he has let go. Only the order of the anomaly's
// own events decides.
//
// Soft events need not come as they did. One that was not expected is taken for one further on in the script only if
// what came before it fits as well, the more of it the more would be left out: a library does the same few things over
// and over, and a thread that is taken to be far beyond where it is would be run too late. A thread that stands before
// its next hard event has left out what was soft before that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/event_script.h"
#include "schedule/listener.h"
#include "schedule/replay.h"
#include "schedule/slices.h"
#include "schedule/strategy.h"

namespace deadheat::schedule {

struct Followed {
  enum class Result : std::uint8_t {
    kUnderWay,
    kCreated,
    kDiverged,  // a thread did something else, ended, or was never started
    kBlocked,   // the next thread cannot go on: somebody holds its lock, or nobody wakes it
    kNotShown,  // every event happened, but the anomaly's in another order, or on other variables
  };
  Result result = Result::kUnderWay;
  std::uint64_t event = 0;  // kDiverged, kBlocked: the event of the script, from 1, that did not come
  std::string thread;       // its thread
  struct What {
    std::string text;  // "read", or why nothing can come
    model::SiteId site{};
  };
  What expected;
  What actual;
  std::uint64_t skipped = 0;     // soft events that were left out
  std::uint64_t unforeseen = 0;  // soft events that came in addition
};
// `name_of` says where a site is, for people.
std::string describe(const Followed::What& what, const NameOfSite& name_of);
const char* result_name(Followed::Result result);

class EventFollower final : public Strategy {
 public:
  // The script must outlive this; listener may be null and is told of the steps of the anomaly, and of the meeting of a
  // race. The seed is for what comes after the anomaly.
  EventFollower(const EventScript& script, std::uint64_t seed, Listener* listener);

  const char* name() const override { return "events"; }
  ThreadIndex next(const World& world) override;
  std::uint32_t choose(const World& world, ThreadIndex thread, std::uint32_t n) override;
  StrategyCounts counts() const override;

  // An event of a thread; under the scheduler's lock, as soon as its operation was executed. object: equal for events
  // on one variable. soft: as in the script.
  void on_event(const World& world, ThreadIndex thread, model::EventKind kind, model::SiteId site, std::uint64_t object,
                bool soft);

  const Followed& followed() const { return followed_; }

 private:
  // What an event is known by.
  struct Sign {
    model::EventKind kind;
    model::SiteId site;
    bool operator==(const Sign&) const = default;
  };
  struct Thread {
    ThreadIndex index = kNoThread;
    std::vector<std::uint32_t> events;  // of the script
    std::size_t next = 0;               // those before have happened or were left out
    std::size_t next_hard = 0;          // the first from `next` on that cannot be left out, once it was looked for
    std::vector<Sign> unforeseen;       // the soft ones since the last that was foreseen, the latest kMostEvidence
    bool strayed = false;               // it does something else since, and may do what others wait for
  };
  static constexpr std::uint32_t kNotYet = ~0u;
  static constexpr std::size_t kMostEvidence = 16;

  bool is_under_way() const { return followed_.result == Followed::Result::kUnderWay; }
  void happen(const World& world, ThreadIndex thread, std::uint32_t event, std::uint64_t object);
  void tell_step(const World& world, ThreadIndex thread, std::uint32_t step);
  Sign sign_of(const Thread& thread, std::size_t at) const;
  bool can_be_left_out(const Thread& thread, std::size_t at) const;
  bool skip_to(Thread& thread, Sign sign);
  bool skip_soft(Thread& thread, Sign sign);
  bool pass_soft(const World& world, Thread& thread);
  bool has_step_left(const Thread& thread) const;
  // Its events before that one of its own.
  void leave_out(Thread& thread, std::size_t until);
  void finish();
  bool shows_anomaly() const;
  bool is_step(std::uint32_t event) const;
  ThreadIndex who_lets_go(const World& world, ThreadIndex thread) const;
  ThreadIndex who_strayed(const World& world) const;
  ThreadIndex bring(const World& world, std::uint32_t event);
  ThreadIndex meet(const World& world);
  ThreadIndex give_up(const World& world, Followed::Result result, std::uint32_t event, Followed::What actual);
  bool stands_before(const World& world, std::uint32_t event);
  Thread& thread_of(std::uint32_t event) { return threads_[script_.events[event].thread]; }

  const EventScript& script_;
  Listener* const listener_;
  Slices after_;
  Followed followed_;
  std::vector<Thread> threads_;          // as in the script
  std::vector<Thread*> by_index_;        // by ThreadIndex; null: not in the script, or not met yet
  std::vector<std::uint32_t> happened_;  // by event: the order in which they happened; kNotYet
  std::vector<std::uint64_t> objects_;   // by step
  std::uint32_t count_ = 0;              // events that happened
  std::uint32_t at_ = 0;                 // the next event of the script
  std::uint64_t meetings_ = 0;
};

}  // namespace deadheat::schedule
