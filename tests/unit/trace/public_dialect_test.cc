// SPDX-License-Identifier: Apache-2.0
#include "trace/public_dialect.h"

#include <gtest/gtest.h>

#include "tests/unit/trace/rules_oracle.h"
#include "trace/load.h"
#include "trace/operation.h"
#include "trace/rules.h"
#include "trace/text_writer.h"

namespace deadheat::trace {
namespace {

std::string lowered(const char* text) { return text_of(lower_to_public(load_bytes(text).trace).trace); }

TEST(PublicDialect, ChangesNothingThatIsPublic) {
  const char* text = "A|fork(B)|1\nB|begin|2\nB|acq(l)|3\nB|w(x)|4\nB|rel(l)|5\nB|end|6\nA|join(B)|7\n";
  const Lowered result = lower_to_public(load_bytes(text).trace);
  EXPECT_EQ(text_of(result.trace), text);
  EXPECT_TRUE(result.lowerings.empty());
  EXPECT_TRUE(result.location_names.empty());
}

TEST(PublicDialect, VolatilesAndPermitsBecomeCriticalSections) {
  EXPECT_EQ(lowered("A|vw(v)|1\nB|vr(v)|2\nA|park(v)|3\nA|vr.opaque(v)|4\n"),
            "A|acq(volatile:v)|1\nA|w(volatile:v)|1\nA|rel(volatile:v)|1\n"
            "B|acq(volatile:v)|2\nB|r(volatile:v)|2\nB|rel(volatile:v)|2\n"
            "A|acq(permit:v)|3\nA|r(permit:v)|3\nA|w(permit:v)|3\nA|rel(permit:v)|3\n");
  EXPECT_EQ(lowered("A|acq(volatile:v)|1\nA|vw(v)|2\n"),
            "A|acq(volatile:v)|1\nA|acq(volatile:v_)|2\nA|w(volatile:v)|2\nA|rel(volatile:v_)|2\n");
}

TEST(PublicDialect, AWaitIsAReleaseAndAnAcquire) {
  EXPECT_EQ(lowered("A|start|9\nA|acq(l)|1\nA|wait(l)|2\nB|acq(l)|3\nB|notify(l,A)|4\nB|rel(l)|5\nA|wake(l)|6\n"),
            "A|acq(l)|1\nA|rel(l)|2\nB|acq(l)|3\nB|w(notified:A)|4\nB|rel(l)|5\nA|acq(l)|6\nA|r(notified:A)|6\n");
}

TEST(PublicDialect, AWriterTakesTheLocksOfAllReaders) {
  EXPECT_EQ(lowered("A|acqr(l)|1\nB|acqr(l)|2\nA|relr(l)|3\nB|relr(l)|4\nC|acq(l)|5\nC|rel(l)|6\n"),
            "A|acq(l:reader:A)|1\nB|acq(l:reader:B)|2\nA|rel(l:reader:A)|3\nB|rel(l:reader:B)|4\n"
            "C|acq(l)|5\nC|acq(l:reader:A)|5\nC|acq(l:reader:B)|5\n"
            "C|rel(l:reader:B)|6\nC|rel(l:reader:A)|6\nC|rel(l)|6\n");
}

TEST(PublicDialect, AWriterThatGoesOnReadingKeepsItsOwnLock) {
  EXPECT_EQ(lowered("A|acq(l)|1\nA|acqr(l)|2\nA|rel(l)|3\nA|relr(l)|4\n"),
            "A|acq(l)|1\nA|acq(l:reader:A)|1\nA|rel(l)|3\nA|rel(l:reader:A)|4\n");
}

TEST(PublicDialect, LocationsThatAreNoNumbersAreListed) {
  const Lowered result = lower_to_public(load_bytes("A|r(x)|a.java:1\nA|r(x)|7\nA|r(x)|a.java:1\n").trace);
  EXPECT_EQ(text_of(result.trace), "A|r(x)|1\nA|r(x)|2\nA|r(x)|1\n");
  EXPECT_EQ(result.location_names, (std::vector<std::string>{"a.java:1", "7"}));
}

// Every event is there, lowered or counted as left out, and the result keeps the rules and is public.
TEST(PublicDialect, OfRandomTraces) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    Trace trace = random_trace(random, {});
    std::uint64_t foreign = 0;
    for (const model::Event& event : trace.events) {
      const model::EventKind kind = event.kind;
      const bool second_half = kind == model::EventKind::kWaitEnd || kind == model::EventKind::kReleaseShared;
      foreign += operation_of(event).is_public || second_half ? 0 : 1;
    }
    const std::string before = text_of(trace);
    const Lowered result = lower_to_public(std::move(trace));
    std::uint64_t told = 0;
    for (const Lowering& lowering : result.lowerings) told += lowering.what == "joins of threads" ? 0 : lowering.count;
    ASSERT_EQ(told, foreign) << "seed " << seed << "\n" << before;
    Problems problems;
    check_rules(result.trace, problems);
    ASSERT_TRUE(problems.none()) << "seed " << seed << "\n" << before << "\n" << text_of(result.trace);
    for (const model::Event& event : result.trace.events) ASSERT_TRUE(operation_of(event).is_public);
  }
}

}  // namespace
}  // namespace deadheat::trace
