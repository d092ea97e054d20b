// SPDX-License-Identifier: Apache-2.0
//
// The gate against a literal transcription of Algorithm 3 (with the errata) on random sequences of events, the
// promises a host relies on, and the paper's example with simulated threads.
#include "schedule/lock_gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "schedule/request_pace.h"

namespace deadheat::schedule {
namespace {

constexpr LockType lock_type(std::uint32_t number) { return LockType{number}; }
constexpr GateThread gate_thread(std::uint32_t number) { return GateThread{number}; }

// Threads that may trigger what a table says, as long as they are free to run.
struct TableForesight : Foresight {
  std::map<GateThread, std::set<LockType>> may;
  std::set<GateThread> running;

  std::vector<GateThread> running_towards(LockType type, GateThread besides) override {
    std::vector<GateThread> found;
    for (const auto& [thread, types] : may) {
      if (thread != besides && running.contains(thread) && types.contains(type)) found.push_back(thread);
    }
    return found;
  }
  bool waiting_may_trigger(GateThread waiting, LockType type) override { return may[waiting].contains(type); }
};

// Algorithm 3 in the paper's own words; line numbers are the paper's.
struct Transcription {
  std::vector<std::pair<GateThread, LockType>> RTHs;
  std::optional<GateThread> allowedTH;
  LockType allowedLK{};
  GateThread held{};
  Random random;
  Foresight& foresight;
  std::set<GateThread> released;
  std::map<std::pair<GateThread, GateThread>, bool> ahead;  // not the paper's

  bool is_requesting(GateThread t) const {
    return std::any_of(RTHs.begin(), RTHs.end(), [&](const auto& pair) { return pair.first == t; });
  }
  void remove(GateThread t) {
    std::erase_if(RTHs, [&](const auto& pair) { return pair.first == t; });
    released.insert(t);
  }
  bool request_a_lock(GateThread t, LockType o) {
    if (allowedTH == t) return true;  // 6, 7
    RTHs.emplace_back(t, o);          // 9
    schedule();                       // 11
    return !is_requesting(t);
  }
  void lock_acquired(GateThread t, LockType o) {
    if (allowedTH != t || allowedLK != o) return;  // 16
    ahead[{held, t}] = false;
    ahead[{t, held}] = random.below(4) != 0;
    finish();  // 17, 18
  }
  void finish() {
    allowedTH.reset();
    remove(held);  // 52, and 53 as it must read
    schedule();
  }
  void schedule() {
    while (!RTHs.empty() && !allowedTH) {                                               // 30
      const auto [t, o] = RTHs[random.below(static_cast<std::uint32_t>(RTHs.size()))];  // 33, from RTHs
      std::vector<GateThread> CT = foresight.running_towards(o, t);                     // 35 to 39
      for (const auto& [other, unused] : RTHs) {
        if (other != t && foresight.waiting_may_trigger(other, o)) CT.push_back(other);
      }
      std::erase_if(CT, [&, leader = t](GateThread other) { return ahead[{leader, other}]; });
      if (CT.empty()) {
        remove(t);
        continue;
      }
      allowedTH = CT[random.below(static_cast<std::uint32_t>(CT.size()))];  // 41, 42
      allowedLK = o;                                                        // 43: the lock that t asked for
      held = t;
      if (is_requesting(*allowedTH)) remove(*allowedTH);  // 44 to 47
    }
  }
};

TEST(LockGate, DoesWhatTheAlgorithmSays) {
  constexpr std::uint32_t kThreads = 5, kTypes = 3;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    TableForesight foresight;
    for (std::uint32_t i = 0; i < kThreads; ++i) {
      foresight.running.insert(gate_thread(i));
      for (std::uint32_t t = 0; t < kTypes; ++t) {
        if (random.one_in(3)) foresight.may[gate_thread(i)].insert(lock_type(t));
      }
    }
    LockGate gate(seed, foresight);
    Transcription model{{}, {}, {}, {}, Random(seed), foresight, {}, {}};
    std::set<GateThread> at_gate;
    for (int step = 0; step < 60; ++step) {
      const GateThread thread = gate_thread(random.below(kThreads));
      const LockType type = lock_type(random.below(kTypes));
      model.released.clear();
      if (at_gate.contains(thread)) {
        if (gate.escort() && gate.escort()->held == thread && random.one_in(4)) {
          gate.leave(thread);
          model.finish();
        }
      } else if (random.one_in(2)) {
        foresight.running.erase(thread);
        const bool goes = gate.request(thread, type);
        ASSERT_EQ(goes, model.request_a_lock(thread, type)) << "seed " << seed;
        at_gate.insert(thread);
        if (goes) at_gate.erase(thread), foresight.running.insert(thread);
      } else {
        gate.acquired(thread, type);
        model.lock_acquired(thread, type);
      }
      for (const GateThread freed : gate.take_freed()) {
        at_gate.erase(freed);
        foresight.running.insert(freed);
        model.released.erase(freed);
      }
      ASSERT_TRUE(model.released.empty()) << "seed " << seed;
      ASSERT_EQ(gate.escort().has_value(), model.allowedTH.has_value());
      if (gate.escort()) {
        ASSERT_EQ(gate.escort()->escorted, *model.allowedTH);
        ASSERT_EQ(gate.escort()->type, model.allowedLK);
        ASSERT_FALSE(gate.waits(gate.escort()->escorted));
        ASSERT_TRUE(gate.waits(gate.escort()->held));
      }
      // Nobody waits for nobody.
      ASSERT_TRUE(at_gate.empty() || gate.escort().has_value());
      for (const GateThread one : at_gate) ASSERT_TRUE(gate.waits(one));
    }
  }
}

TEST(LockGate, EveryEndOfAnEscortFreesTheHeldThread) {
  const LockType type = lock_type(1);
  for (const EscortEnd end : {EscortEnd::kAcquired, EscortEnd::kBlocked, EscortEnd::kEnded, EscortEnd::kTime}) {
    TableForesight foresight;
    foresight.running = {gate_thread(2)};
    foresight.may[gate_thread(2)] = {type};
    LockGate gate(1, foresight);
    EXPECT_FALSE(gate.request(gate_thread(1), type));
    EXPECT_TRUE(gate.take_freed().empty());
    // Somebody else has to wait meanwhile, for whichever lock; the escorted thread does not.
    EXPECT_FALSE(gate.request(gate_thread(3), lock_type(7)));
    EXPECT_TRUE(gate.request(gate_thread(2), lock_type(8)));
    EXPECT_FALSE(gate.acquired(gate_thread(2), lock_type(8)).has_value());
    foresight.running.clear();
    switch (end) {
      case EscortEnd::kAcquired:
        EXPECT_TRUE(gate.request(gate_thread(2), type));
        EXPECT_EQ(gate.acquired(gate_thread(2), type)->held, gate_thread(1));
        break;
      case EscortEnd::kEnded:
        gate.ended(gate_thread(2));
        break;
      case EscortEnd::kTime:
        gate.leave(gate_thread(1));
        break;
      case EscortEnd::kBlocked:
        gate.give_up(end);
        break;
    }
    EXPECT_EQ(gate.take_freed(), (std::vector{gate_thread(1), gate_thread(3)}));
    EXPECT_FALSE(gate.escort().has_value());
    EXPECT_EQ(gate.counts().ends[static_cast<std::size_t>(end)], 1u);
    EXPECT_EQ(gate.counts().thrashing(), end == EscortEnd::kAcquired ? 0u : 1u);
  }
}

TEST(LockGate, WhoWasEscortedKeepsItsLead) {
  int kept = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    TableForesight foresight;
    foresight.may[gate_thread(1)] = foresight.may[gate_thread(2)] = {lock_type(1), lock_type(2)};
    foresight.running = {gate_thread(2)};
    LockGate gate(seed, foresight);
    EXPECT_FALSE(gate.request(gate_thread(1), lock_type(1)));
    EXPECT_TRUE(gate.request(gate_thread(2), lock_type(1)));
    gate.acquired(gate_thread(2), lock_type(1));
    // The one that was overtaken is on its way to the next lock too.
    foresight.running = {gate_thread(1)};
    const bool goes = gate.request(gate_thread(2), lock_type(2));
    kept += goes ? 1 : 0;
    if (!goes) {
      // Who loses the lead to another has lost it.
      gate.acquired(gate_thread(1), lock_type(2));
      EXPECT_FALSE(gate.waits(gate_thread(2)));
    }
  }
  EXPECT_GT(kept, 260);
  EXPECT_LT(kept, 340);
}

TEST(LockGate, AWaiterWhoseTimeIsOverLeavesTheEscortAlone) {
  TableForesight foresight;
  foresight.running = {gate_thread(2)};
  foresight.may[gate_thread(2)] = {lock_type(1)};
  LockGate gate(1, foresight);
  gate.request(gate_thread(1), lock_type(1));
  gate.request(gate_thread(3), lock_type(4));
  gate.leave(gate_thread(3));
  EXPECT_EQ(gate.take_freed(), std::vector{gate_thread(3)});
  EXPECT_EQ(gate.escort()->held, gate_thread(1));
  gate.leave(gate_thread(3));
  EXPECT_TRUE(gate.take_freed().empty());
}

// Figure 2: three threads, of which the first that can makes the next step, so that natively the first is through
// before the others come. Lock requests pass the gate.
struct Step {
  std::string method;  // the innermost; its callers are below
  std::string lock;    // empty: computes
};
using Body = std::vector<Step>;

const std::map<std::string, std::vector<std::string>> kStacks = {
    {"f1", {"f1"}},       {"f2", {"f2", "f1"}},       {"f3", {"f3"}},
    {"f4", {"f4", "f3"}}, {"f5", {"f5", "f4", "f3"}}, {"f6", {"f6"}},
    {"f7", {"f7", "f6"}}, {"f8", {"f8", "f7", "f6"}}};

struct Figure2 : Foresight {
  MayTrigger relation;
  // x is written before e1 (k) in t1 and read behind e9 (k) in t3; y behind e3 (n) in t1 and before e6 (n) in t2.
  std::vector<Body> bodies{{{"f1", "k"}, {"f2", "c1"}, {"f2", "n"}},
                           {{"f3", ""}, {"f3", ""}, {"f4", "c2"}, {"f4", "c3"}, {"f5", "n"}},
                           {{"f6", ""}, {"f6", ""}, {"f7", "c4"}, {"f7", "c5"}, {"f8", "k"}}};
  std::vector<std::size_t> at = {0, 0, 0};
  std::vector<bool> waits = {false, false, false};

  std::vector<MethodNumber> stack(std::uint32_t thread) {
    std::vector<MethodNumber> methods;
    const Body& body = bodies[thread];
    if (at[thread] == body.size()) return methods;
    for (const std::string& name : kStacks.at(body[at[thread]].method)) methods.push_back(relation.method(name));
    return methods;
  }
  std::vector<GateThread> running_towards(LockType type, GateThread besides) override {
    std::vector<GateThread> found;
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      if (gate_thread(i) == besides || waits[i]) continue;
      if (relation.may_trigger(stack(i), type)) found.push_back(gate_thread(i));
    }
    return found;
  }
  bool waiting_may_trigger(GateThread waiting, LockType type) override {
    return relation.may_trigger(stack(static_cast<std::uint32_t>(waiting)), type);
  }

  // The acquisitions in their order: "1k" is t1's of k.
  std::vector<std::string> run(std::uint64_t seed, bool gated) {
    LockGate gate(seed, *this);
    std::vector<std::string> order;
    at = {0, 0, 0};
    const auto left = [&] {
      std::vector<std::uint32_t> able;
      for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        if (!waits[i] && at[i] < bodies[i].size()) able.push_back(i);
      }
      return able;
    };
    const auto acquire = [&](std::uint32_t i) {
      const std::string lock = bodies[i][at[i]].lock;
      const LockType type = relation.type(lock);
      relation.learn(stack(i), type);
      order.push_back(std::to_string(i + 1) + lock);
      ++at[i];
      gate.acquired(gate_thread(i), type);
      if (at[i] == bodies[i].size()) gate.ended(gate_thread(i));
    };
    for (std::vector<std::uint32_t> able = left(); !able.empty(); able = left()) {
      const std::uint32_t i = able.front();
      const std::string& lock = bodies[i][at[i]].lock;
      if (lock.empty()) {
        ++at[i];
        continue;
      }
      waits[i] = gated && !gate.request(gate_thread(i), relation.type(lock));
      if (!waits[i]) acquire(i);
      // Whoever is let go acquires what it asked for.
      for (auto freed = gate.take_freed(); !freed.empty(); freed = gate.take_freed()) {
        for (const GateThread thread : freed) {
          const auto number = static_cast<std::uint32_t>(thread);
          if (!waits[number]) continue;
          waits[number] = false;
          acquire(number);
        }
      }
    }
    return order;
  }
};

bool before(const std::vector<std::string>& order, const char* first, const char* second) {
  return std::find(order.begin(), order.end(), first) < std::find(order.begin(), order.end(), second);
}

TEST(LockGate, ReversesBothOrdersOfFigure2) {
  Figure2 program;
  const std::vector<std::string> native = program.run(1, false);
  ASSERT_TRUE(before(native, "1k", "3k") && before(native, "1n", "2n"));
  int both = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const std::vector<std::string> order = program.run(seed, true);
    ASSERT_EQ(order.size(), 9u);
    both += before(order, "3k", "1k") && before(order, "2n", "1n") ? 1 : 0;
  }
  EXPECT_EQ(both, 100);
}

TEST(RequestPace, LooksLessOftenUntilSomethingComesOfIt) {
  Random random(3);
  RequestPace pace;
  for (std::uint32_t i = 0; i < RequestPace::kAlways; ++i) EXPECT_EQ(pace.skip(random), 0u);
  std::uint32_t longest = 0;
  for (int i = 0; i < 1000; ++i) longest = std::max(longest, pace.skip(random));
  EXPECT_GT(longest, 1u << (RequestPace::kLongest - 2));
  EXPECT_LT(longest, 1u << RequestPace::kLongest);
  pace.good();
  EXPECT_EQ(pace.skip(random), 0u);
}

TEST(HoldBudget, IsAGraceAndAShare) {
  HoldBudget budget(1000, 50);
  budget.spend(1001);
  EXPECT_FALSE(budget.allows(0));
  EXPECT_TRUE(budget.allows(200));
  EXPECT_EQ(budget.spent(), 1001);
}

}  // namespace
}  // namespace deadheat::schedule
