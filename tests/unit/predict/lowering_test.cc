// SPDX-License-Identifier: Apache-2.0
//
// What the public dialect makes of a trace (trace/public_dialect.h) shows the analyses no race that the trace has not.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "predict/analysis.h"
#include "tests/unit/predict/random_runs.h"
#include "trace/load.h"
#include "trace/public_dialect.h"

namespace deadheat::predict {
namespace {

// By location: lowering adds events.
std::set<std::pair<std::string, std::string>> races_in(const trace::Trace& trace, std::string_view analysis) {
  std::set<std::pair<std::string, std::string>> races;
  const auto location = [&](EventNumber event) { return trace.sites.text(to_number(trace.events[event - 1].site)); };
  for (const EventPair& pair : find_analysis(analysis)->run(trace, {}).pairs) {
    races.emplace(location(pair.first), location(pair.second));
  }
  return races;
}

TEST(LoweringTest, WhatIsOrderedStaysOrdered) {
  for (const char* text :
       {"A|w(x)|1\nA|vw(f)|2\nB|vr(f)|3\nB|r(x)|4\n", "A|w(x)|1\nA|unpark(p)|2\nB|park(p)|3\nB|r(x)|4\n",
        "B|acq(l)|1\nB|wait(l)|2\nA|w(x)|3\nA|acq(l)|4\nA|notify(l,B)|5\nA|rel(l)|6\nB|wake(l)|7\n"
        "B|rel(l)|8\nB|r(x)|9\n"}) {
    const trace::Lowered lowered = trace::lower_to_public(trace::load_bytes(text).trace);
    for (const std::string_view analysis : {"syncp", "exact", "wcp"}) {
      EXPECT_TRUE(races_in(lowered.trace, analysis).empty()) << analysis << "\n" << to_text(lowered.trace);
    }
  }
}

TEST(LoweringTest, MakesNoRaceThatWasNone) {
  std::size_t kept = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    RunShape shape = random_shape(random, 14);
    shape.volatiles = shape.waits = shape.parks = true;
    trace::Trace trace = random_run(random, shape);
    const std::string text = to_text(trace);
    for (int name = 1; name <= 20; ++name) {
      for (trace::Names* names : {&trace.threads, &trace.variables, &trace.syncs}) names->number(std::to_string(name));
    }
    trace.sites = {};
    for (model::Event& event : trace.events) {
      const auto number = &event - trace.events.data() + 1;
      event.site = model::SiteId{trace.sites.number(std::to_string(number))};
    }
    const auto before = races_in(trace, "exact");
    const trace::Lowered lowered = trace::lower_to_public(std::move(trace));
    for (const std::string_view analysis : {"syncp", "exact"}) {
      for (const auto& race : races_in(lowered.trace, analysis)) {
        ASSERT_TRUE(before.contains(race))
            << "seed " << seed << ", " << analysis << ": " << race.first << ", " << race.second << "\n"
            << text;
        ++kept;
      }
    }
  }
  EXPECT_GT(kept, 100u);
}

}  // namespace
}  // namespace deadheat::predict
