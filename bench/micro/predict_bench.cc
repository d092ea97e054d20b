// SPDX-License-Identifier: Apache-2.0
//
// Events a second and memory of the analyses over generated traces: 8 threads, locks guarding variables, some
// unguarded and racy accesses between the sections. DH_BENCH_EVENTS sets the length (2,000,000).
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <map>
#include <vector>

#include "base/random.h"
#include "predict/analysis.h"

namespace deadheat::predict {
namespace {

using model::Event;
using model::EventKind;

struct Profile {
  const char* name;
  std::uint32_t locks;
  std::uint32_t guarded;  // variables, spread evenly over the locks
  bool is_disciplined;    // false: whatever lock is held, any variable is accessed
};
constexpr Profile kPoor{"lock_poor", 8, 40, true};
constexpr Profile kRich{"lock_rich", 64, 12'800, true};
constexpr Profile kWild{"wild", 64, 12'800, false};

constexpr std::uint32_t kThreads = 8;
constexpr std::uint32_t kUnguarded = 16;

std::uint32_t events_wanted() {
  const char* text = std::getenv("DH_BENCH_EVENTS");
  return text != nullptr ? static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)) : 2'000'000;
}

// Every thread goes through: an atomic region around a section of some lock with two to nine accesses of variables that
// the lock guards, sometimes a second lock inside (always a higher one); then, now and then, an unguarded access.
class Generator {
 public:
  explicit Generator(const Profile& profile) : profile_(profile), owner_(profile.locks + 1), threads_(kThreads + 1) {}

  trace::Trace run() {
    const std::uint32_t count = events_wanted();
    trace_.events.reserve(count);
    for (std::uint32_t t = 2; t <= kThreads; ++t) emit(1, EventKind::kFork, t);
    while (trace_.events.size() < count) step(1 + random_.below(kThreads));
    return std::move(trace_);
  }

 private:
  struct Thread {
    std::uint32_t outer = 0;
    std::uint32_t inner = 0;
    std::uint32_t left = 0;  // accesses until the section ends
    bool is_inside = false;  // of a region
  };

  void emit(std::uint32_t t, EventKind kind, std::uint64_t object) {
    trace_.events.push_back({.kind = kind, .thread = model::ThreadId{t}, .object = object});
  }
  void step(std::uint32_t t) {
    Thread& me = threads_[t];
    // A few events at a time: real threads are not switched at every event.
    for (std::uint32_t burst = 1 + random_.below(6); burst != 0; --burst) {
      if (!advance(t, me)) return;
    }
  }
  bool advance(std::uint32_t t, Thread& me) {
    if (me.outer == 0) return begin(t, me);
    if (me.left != 0) {
      --me.left;
      if (me.inner == 0 && me.outer < profile_.locks && random_.one_in(16)) return nest(t, me);
      access(t, me.inner != 0 ? me.inner : me.outer);
      return true;
    }
    end(t, me);
    return true;
  }
  bool begin(std::uint32_t t, Thread& me) {
    if (!me.is_inside && random_.one_in(4)) {
      emit(t, random_.one_in(4) ? EventKind::kWrite : EventKind::kRead,
           profile_.guarded + 1 + random_.below(kUnguarded));
      return true;
    }
    const std::uint32_t lock = 1 + random_.below(profile_.locks);
    if (owner_[lock] != 0) return false;
    if (!me.is_inside) emit(t, EventKind::kRegionEnter, 0);
    me.is_inside = true;
    me.left = 2 + random_.below(8);
    me.outer = lock;
    take(t, lock);
    return true;
  }
  bool nest(std::uint32_t t, Thread& me) {
    const std::uint32_t lock = me.outer + 1 + random_.below(profile_.locks - me.outer);
    if (owner_[lock] != 0) return false;
    me.inner = lock;
    take(t, lock);
    return true;
  }
  void end(std::uint32_t t, Thread& me) {
    // Two-phase: all locks go at the end, so that the regions are serialisable.
    if (me.inner != 0) drop(t, me.inner);
    drop(t, me.outer);
    emit(t, EventKind::kRegionExit, 0);
    me = {};
  }
  void take(std::uint32_t t, std::uint32_t lock) {
    owner_[lock] = t;
    emit(t, EventKind::kAcquire, lock);
  }
  void drop(std::uint32_t t, std::uint32_t lock) {
    owner_[lock] = 0;
    emit(t, EventKind::kRelease, lock);
  }
  void access(std::uint32_t t, std::uint32_t lock) {
    const std::uint32_t of_lock = profile_.guarded / profile_.locks;
    const std::uint32_t variable =
        profile_.is_disciplined ? (lock - 1) * of_lock + random_.below(of_lock) : random_.below(profile_.guarded);
    emit(t, random_.one_in(3) ? EventKind::kWrite : EventKind::kRead, 1 + variable);
  }

  const Profile profile_;
  Random random_{1};
  std::vector<std::uint32_t> owner_;
  std::vector<Thread> threads_;
  trace::Trace trace_;
};

const trace::Trace& trace_of(const Profile& profile) {
  static std::map<const char*, trace::Trace> traces;
  const auto found = traces.find(profile.name);
  if (found != traces.end()) return found->second;
  return traces.emplace(profile.name, Generator(profile).run()).first->second;
}

void run(benchmark::State& state, const Analysis& analysis, const Profile& profile, bool pairs) {
  const trace::Trace& trace = trace_of(profile);
  AnalysisResult result;
  for (auto _ : state) result = analysis.run(trace, {.pairs = pairs});
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * trace.events.size()));
  state.counters["memory_MB"] = static_cast<double>(result.memory_bytes) / 1e6;
  state.counters["racy"] = static_cast<double>(result.racy.size());
  if (pairs) state.counters["pairs"] = static_cast<double>(result.pairs.size());
  if (result.violation) state.counters["violation"] = *result.violation;
}

const bool kRegistered = [] {
  for (const Analysis& analysis : analyses()) {
    if (analysis.name == "exact") continue;  // not linear
    for (const Profile& profile : {kPoor, kRich, kWild}) {
      if (!analysis.finds_races && !profile.is_disciplined) continue;  // ends at the first violation
      for (const bool pairs : {false, true}) {
        if (pairs && !analysis.gives_pairs) continue;
        const std::string name = std::string(analysis.name) + "/" + profile.name + (pairs ? "/pairs" : "");
        benchmark::RegisterBenchmark(name.c_str(), [&analysis, profile, pairs](benchmark::State& s) {
          run(s, analysis, profile, pairs);
        })->Unit(benchmark::kMillisecond);
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace deadheat::predict
