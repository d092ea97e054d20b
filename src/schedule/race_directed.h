// SPDX-License-Identifier: Apache-2.0
//
// Race-directed random walk (Sen, RaceFuzzer, PLDI 2008, Algorithms 1 and 2): a thread that is about to perform one of
// the two suspected accesses is postponed until another thread stands at the other one with the same location. That
// meeting is a real race: it is told to the listener and resolved by a coin, or in the order asked for.
//
// What the printed algorithm leaves open. A thread released because everybody was postponed (line 27) makes its step:
// taken literally it would be postponed again at once, for ever. Before everybody counts as postponed, those who sleep
// are waited for in virtual time, and those who are outside the model until the host nudges: they may be on their way
// to the other site. Those who wait with a time-out are not, for they wait for others, and those who are held could go:
// a time-out that runs out meanwhile is a failure of ours and not of the program (unless an aim says that it is this
// thread that has to come by: a timer, or a pool with a schedule). Nor is anybody once two have met. Those who do
// nothing but spin are not either: once every thread that is free has yielded spin_limit times, one that is held goes.
// Who spins without saying so is found by livelock_limit steps. And a thread that was held in vain k times is held
// again with probability patient_holds / (patient_holds + k) only: a loop over the elements of an array would otherwise
// be held at each of them. Meetings are seen whether it is held or not. Of those held, the one that was held in vain
// most often goes: it comes by again and again, others perhaps only once.
//
// As printed, whoever goes second stays postponed, and the first one runs to its end as a rule. What breaks only if
// both go on side by side (two locks taken in an order that the raced variable decides) is then never seen: half the
// time the second one is free to go.
//
// With an aim (aim.h) only the two threads at these two visits are held, and whoever else comes by a site goes on
// without a switch; once one of them had to be released it goes on as without. Until they are held these two go before
// the others, mostly, and so does whoever has to start them: what others change meanwhile may keep them from getting
// there (an iterator that notices). An aim that was seen in a survey is followed in that survey's order instead, step
// by step until the first of the two is held and as near to it as can be from then on: what made the second one come by
// there, a third thread's change perhaps, is then made again. With a stop the first thread is held there, where it is
// at neither site, and the survey goes on without it until the second one is held; then it goes on to meet that one.
//
// With one side only the threads at that site are held: one that comes by once (a rotation of a tree) is then waiting
// when another, on its walk over all the nodes, comes by the right one; held at each of them it would hardly get there.
// Threads then mostly run on as far as they can, in an order by chance: one that has to come long before another does
// so half the time, and hardly ever when each step is anybody's.
//
// A survey holds nobody and switches as little as can be, to find out who comes by where. A thread that has made
// fair_run steps while others could go may be spinning: one of those goes then.
#pragma once

#include <optional>
#include <vector>

#include "base/random.h"
#include "schedule/aim.h"
#include "schedule/listener.h"
#include "schedule/race_pair.h"
#include "schedule/strategy.h"

namespace deadheat::schedule {

enum class Resolution : std::uint8_t { kCoin, kFirstSiteFirst, kSecondSiteFirst };

struct RaceDirectedOptions {
  RacePair pair;
  Resolution resolution = Resolution::kCoin;
  std::uint64_t livelock_limit = 1'000'000;
  std::uint32_t spin_limit = 50;
  std::uint64_t fair_run = 20'000;
  std::uint32_t patient_holds = 50;
  // Nanoseconds of virtual time a thread is held for the sake of sleepers: much longer, and what others measure by the
  // clock goes wrong that never would.
  std::uint64_t patience = 10'000'000'000;
  std::optional<Aim> aim;
  model::SiteId stop_site{};              // the number of that of the aim's stop, if it has one
  std::optional<model::SiteId> one_side;  // of the pair's
  // Threads run on as far as they can although both sides are held: with one side they always do. What comes between
  // the two and the harm is then another than by single steps: a third thread that comes after both, or before.
  bool run_on = false;
  Survey survey = Survey::kNone;
  // Chance up to the first meeting, if not the strategy's own: what has led to a meeting once does so again, and goes
  // on in another way.
  std::optional<std::uint64_t> seed_until_met;
};

class RaceDirected final : public Strategy {
 public:
  // listener may be null.
  RaceDirected(std::uint64_t seed, const RaceDirectedOptions& options, Listener* listener)
      : options_(options),
        seed_(seed),
        random_(in_order_of_survey() ? options.aim->seen->seed : options.seed_until_met.value_or(seed)),
        listener_(listener),
        aiming_(options.aim.has_value()) {}

  const char* name() const override { return "race-directed"; }
  ThreadIndex next(const World& world) override;
  std::uint32_t choose(const World&, ThreadIndex, std::uint32_t n) override { return random_.below(n); }
  void stepping(const World& world, ThreadIndex thread) override;
  void nudge() override { nudged_ = true; }
  StrategyCounts counts() const override;
  // A survey that is recorded, where every access is a step: its visits are not counted then, the trace has them.
  std::uint64_t steps_ahead() const override;
  void ran_ahead(std::uint64_t steps) override { run_length_ += steps; }

 private:
  enum class Hold : std::uint8_t { kFree, kPostponed, kReleased };
  struct Thread {
    Hold hold = Hold::kFree;
    std::uint64_t since = 0;    // step at which it was postponed
    std::uint32_t in_vain = 0;  // how often it was released without a meeting, since the last one
    std::uint32_t visits = 0;   // accesses it has made at the two sites
    std::uint32_t yields = 0;   // since somebody was postponed or released
    std::uint32_t at_stop = 0;  // operations it has made at the site of the stop
  };

  Thread& thread(ThreadIndex index) { return threads_[to_number(index)]; }
  void set_hold(const World& world, ThreadIndex index, Hold hold);
  void release(const World& world, ThreadIndex index);
  void drop_aim();
  void release_livelocked(const World& world);
  ThreadIndex nobody_free(const World& world);
  bool waits_for_time(const World& world) const;
  bool only_spinners_free(const World& world);
  bool passes(const World& world, ThreadIndex index);
  bool is_aimed_at(ThreadIndex index) const;
  bool comes_by(const World& world, ThreadIndex index) const;
  bool stops_here(const World& world, ThreadIndex index);
  void end_stop(const World& world);
  ThreadIndex pick_free(const World& world);
  ThreadIndex pick_as_in(Survey survey, const World& world);
  bool in_order_of_survey() const { return options_.aim && options_.aim->seen; }
  bool is_awaited(const World& world, ThreadIndex index) const;
  void find_aimed(const World& world);
  ThreadIndex resolve(const World& world, ThreadIndex arrived, const std::vector<ThreadIndex>& racing);
  bool arrived_goes_first(const Operation& arrived, const Operation& other);

  const RaceDirectedOptions options_;
  const std::uint64_t seed_;
  Random random_;
  Listener* const listener_;
  StrategyCounts counts_;
  std::vector<Thread> threads_;
  Visits visits_;
  bool aiming_;
  bool stopped_ = false;             // the first thread of the aim stands at its stop
  ThreadIndex goes_on_ = kNoThread;  // from its stop, now
  ThreadIndex first_ = kNoThread;    // the threads of the aim, once they exist
  ThreadIndex second_ = kNoThread;
  std::uint32_t names_seen_ = 0;  // threads that were looked at for that
  bool nudged_ = false;
  std::uint64_t postponed_at_ = 0;                // virtual time at which the last one was
  std::uint64_t release_at_ = ~std::uint64_t{0};  // no thread is livelocked before this step
  std::uint32_t postponed_ = 0;                   // threads with Hold::kPostponed
  std::uint64_t run_length_ = 0;                  // steps of world.last() since another one's, or since it was alone
  std::vector<ThreadIndex> forced_;  // racing threads that still have to go first (lines 15 to 18), last one next
  std::vector<ThreadIndex> scratch_;
};

}  // namespace deadheat::schedule
