// SPDX-License-Identifier: Apache-2.0
//
// PECAN's columns "analysis" and "transform" on a generated trace of 450,000 events: the search for all known patterns,
// and schedules for what it finds.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/random.h"
#include "predict/pattern_search.h"
#include "predict/schedule_generation.h"

namespace deadheat::predict {
namespace {

using model::EventKind;

constexpr std::uint32_t kEvents = 450'000;
constexpr std::uint32_t kThreads = 8;
constexpr std::uint32_t kLocks = 16;
constexpr std::uint32_t kVariables = 400;
constexpr std::uint32_t kMethods = 60;

// Threads that call synchronised methods in loops. A method has a lock, and four to nine places with an access each of
// a variable that mostly belongs to the lock; some methods take no lock.
trace::Trace make_trace() {
  struct Place {
    std::uint32_t variable;
    bool is_write;
  };
  struct Method {
    std::uint32_t lock;  // 0: none
    std::vector<Place> places;
  };
  struct Thread {
    std::uint32_t method = 0;
    std::size_t place = 0;
    bool is_inside = false;
  };
  Random random(1);
  std::vector<Method> methods(kMethods);
  for (Method& m : methods) {
    m.lock = random.one_in(12) ? 0 : 1 + random.below(kLocks);
    const std::uint32_t of_lock = kVariables / kLocks;
    for (std::uint32_t k = 4 + random.below(6); k != 0; --k) {
      const bool is_own = m.lock != 0 && !random.one_in(40);
      const std::uint32_t variable = is_own ? (m.lock - 1) * of_lock + random.below(of_lock) : random.below(kVariables);
      m.places.push_back({1 + variable, random.one_in(3)});
    }
  }
  trace::Trace trace;
  std::vector<Thread> threads(kThreads + 1);
  std::vector<std::uint32_t> owner(kLocks + 1);
  const auto emit = [&](std::uint32_t t, EventKind kind, std::uint64_t object, std::uint32_t site) {
    trace.events.push_back({.kind = kind, .thread = model::ThreadId{t}, .site = model::SiteId{site}, .object = object});
  };
  for (std::uint32_t t = 2; t <= kThreads; ++t) emit(1, EventKind::kFork, t, 1);
  while (trace.events.size() < kEvents) {
    const std::uint32_t t = 1 + random.below(kThreads);
    Thread& me = threads[t];
    const Method& method = methods[me.method];
    const std::uint32_t site = 100 * (me.method + 1);
    if (!me.is_inside) {
      if (method.lock != 0 && owner[method.lock] != 0) continue;
      if (method.lock != 0) {
        owner[method.lock] = t;
        emit(t, EventKind::kAcquire, method.lock, site);
      }
      me.is_inside = true;
      me.place = 0;
    } else if (me.place < method.places.size()) {
      const Place& place = method.places[me.place++];
      emit(t, place.is_write ? EventKind::kWrite : EventKind::kRead, place.variable,
           site + static_cast<std::uint32_t>(me.place));
    } else {
      if (method.lock != 0) {
        owner[method.lock] = 0;
        emit(t, EventKind::kRelease, method.lock, site + 99);
      }
      me.is_inside = false;
      me.method = random.below(kMethods);
    }
  }
  return trace;
}

const trace::Trace& the_trace() {
  static const trace::Trace trace = make_trace();
  return trace;
}

void BM_Search(benchmark::State& state) {
  const trace::Trace& trace = the_trace();
  SearchResult result;
  for (auto _ : state) {
    const Ptg ptg(trace);
    result = search(ptg, known_patterns());
    state.counters["accesses"] = static_cast<double>(ptg.accesses().size());
  }
  state.counters["matches"] = static_cast<double>(result.matches.size());
  state.counters["cut_short"] = static_cast<double>(result.patterns_cut_short);
}
BENCHMARK(BM_Search)->Unit(benchmark::kMillisecond);

void BM_Schedule(benchmark::State& state) {
  const Ptg ptg(the_trace());
  const auto matches = search(ptg, known_patterns()).matches;
  const ScheduleGenerator generator(ptg);
  std::size_t next = 0;
  std::size_t made = 0;
  std::size_t kept = 0;
  std::size_t solved = 0;
  for (auto _ : state) {
    const PatternMatch& match = matches[next++ * 7919 % matches.size()];
    const auto schedule = generator.generate(*match.pattern, match.events);
    made += schedule.has_value();
    kept += schedule.has_value() && schedule->values == Values::kKept;
    solved += schedule.has_value() && schedule->needed_solver;
  }
  state.counters["made"] = static_cast<double>(made) / static_cast<double>(next);
  state.counters["by_solver"] = static_cast<double>(solved) / static_cast<double>(next);
  state.counters["values_kept"] = static_cast<double>(kept) / static_cast<double>(next);
}
BENCHMARK(BM_Schedule)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace deadheat::predict
