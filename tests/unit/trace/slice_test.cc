// SPDX-License-Identifier: Apache-2.0
#include "trace/slice.h"

#include <gtest/gtest.h>

#include "tests/unit/trace/rules_oracle.h"
#include "trace/load.h"
#include "trace/rules.h"
#include "trace/text_writer.h"

namespace deadheat::trace {
namespace {

TEST(Slice, LeavesOutOtherAccessesAndKeepsAllSynchronisation) {
  const Loaded loaded = load_bytes("A|acq(l)|1\nA|w(x)|2\nA|w(y)|3\nA|rel(l)|4\nB|r(y)|5\n");
  SliceRequest request;
  request.variables = {loaded.trace.variables.find("y")};
  EXPECT_EQ(text_of(slice(loaded.trace, request).trace), "A|acq(l)|1\nA|w(y)|3\nA|rel(l)|4\nB|r(y)|5\n");
  request.threads = {loaded.trace.threads.find("A")};
  EXPECT_EQ(text_of(slice(loaded.trace, request).trace), "A|acq(l)|1\nA|w(y)|3\nA|rel(l)|4\n");
}

TEST(Slice, CarriesWhatIsOpenAtItsBegin) {
  const Loaded loaded = load_bytes(
      "A|begin(r)|1\nA|acq(l)|2\nA|wait(l)|3\nB|acq(l)|4\nB|acqr(q)|5\nB|rel(l)|6\nA|wake(l)|7\nA|rel(l)|8\nA|end|9\n"
      "B|relr(q)|10\n");
  SliceRequest request;
  request.first = 7;
  const Sliced sliced = slice(loaded.trace, request);
  EXPECT_EQ(sliced.carried, 4u);
  EXPECT_EQ(text_of(sliced.trace),
            "A|begin(r)|1\nA|acq(l)|2\nA|wait(l)|3\nB|acqr(q)|5\nA|wake(l)|7\nA|rel(l)|8\nA|end|9\nB|relr(q)|10\n");
}

TEST(Slice, LeavesOutJoinsOfThreadsItHasNothingOf) {
  const Loaded loaded = load_bytes("A|fork(B)|1\nB|r(x)|2\nA|r(x)|3\nA|join(B)|4\nA|w(x)|5\n");
  SliceRequest request;
  request.first = 3;
  const Sliced sliced = slice(loaded.trace, request);
  EXPECT_EQ(text_of(sliced.trace), "A|r(x)|3\nA|w(x)|5\n");
  EXPECT_EQ(sliced.joins_left_out, 1u);
  EXPECT_EQ(sliced.trace.threads.size(), 1u);
}

TEST(Slice, OfATraceThatKeepsTheRulesKeepsThem) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Random random(seed);
    const Shape shape;
    const Trace trace = random_trace(random, shape);
    SliceRequest request;
    request.first = 1 + random.below(static_cast<std::uint32_t>(trace.events.size()));
    request.last = request.first + random.below(30);
    if (random.one_in(2)) request.threads = {1 + random.below(shape.threads)};
    if (random.one_in(2)) request.variables = {1 + random.below(shape.variables)};
    const Sliced sliced = slice(trace, request);
    Problems problems;
    check_rules(sliced.trace, problems);
    ASSERT_TRUE(problems.none()) << "seed " << seed << ", from " << request.first << "\n"
                                 << text_of(trace) << "\n"
                                 << text_of(sliced.trace) << problems.kept()[0].message;
  }
}

}  // namespace
}  // namespace deadheat::trace
