// SPDX-License-Identifier: Apache-2.0
//
// The log and its file: what is written is read; what is damaged is refused; any bytes at all are survived.
#include "schedule/decision_log.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "schedule/decision_log_file.h"
#include "tests/unit/schedule/programs.h"
#include "tests/unit/schedule/strategies.h"

namespace deadheat::schedule {
namespace {

using Bytes = std::vector<std::uint8_t>;

DecisionLog random_log(Random& random) {
  DecisionLog log;
  const std::uint32_t threads = 1 + random.below(5);
  for (std::uint32_t t = 0; t < threads; ++t) log.add_thread("0." + std::to_string(t));
  const std::uint32_t sites = 1 + random.below(400);  // numbers of one and of two bytes
  for (std::uint32_t n = random.below(500); n != 0; --n) {
    const auto kind = static_cast<OperationKind>(random.below(kOperationKinds));
    if (random.one_in(50)) log.add_jump();
    log.add_step(ThreadIndex{random.below(threads)}, {kind, model::SiteId{random.below(sites) << random.below(12)}});
  }
  for (std::uint32_t n = random.below(5); n != 0; --n) {
    const std::uint32_t of = 2 + random.below(5);
    log.add_choice({random.below(threads), random.next() >> random.below(64), of, random.below(of)});
  }
  log.set_complete(random.one_in(2));
  return log;
}

// As the writer does it: the last eight bytes are over all before.
void fix_checksum(Bytes& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i + 8 < bytes.size(); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
  for (std::size_t i = 0; i < 8; ++i) bytes[bytes.size() - 1 - i] = static_cast<std::uint8_t>(hash >> 8 * i);
}

TEST(DecisionLog, ItsCursorWalksTheSteps) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    DecisionLog log;
    for (int t = 0; t < 3; ++t) log.add_thread(std::to_string(t));
    std::vector<std::pair<std::uint32_t, Shape>> steps;
    for (std::uint32_t n = random.below(300); n != 0; --n) {
      const Shape shape{static_cast<OperationKind>(random.below(5)), model::SiteId{random.below(200)}};
      steps.emplace_back(random.below(3), shape);
      log.add_step(ThreadIndex{steps.back().first}, shape);
    }
    DecisionLog::Cursor cursor(log);
    for (std::size_t i = 0; i < steps.size(); ++i, cursor.advance()) {
      ASSERT_FALSE(cursor.at_end());
      EXPECT_EQ(cursor.step(), i);
      EXPECT_EQ(cursor.thread(), steps[i].first);
      EXPECT_EQ(cursor.shape(), steps[i].second);
    }
    EXPECT_TRUE(cursor.at_end());
    EXPECT_EQ(log.steps(), steps.size());
  }
}

TEST(DecisionLog, WhatIsWrittenIsRead) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const DecisionLog log = random_log(random);
    const Result<DecisionLog> read = decode_decision_log(encode(log));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_TRUE(read.value() == log);
  }
  for (const SampleProgram& program : sample_programs()) {
    RandomWalk walk(5);
    DecisionLog log;
    program.run(walk, {}, log);
    const Result<DecisionLog> read = decode_decision_log(encode(log));
    ASSERT_TRUE(read.ok());
    EXPECT_TRUE(read.value() == log);
    EXPECT_EQ(to_text(read.value()), to_text(log));
  }
}

TEST(DecisionLog, ItsTextNamesRunsAndChoices) {
  DecisionLog log;
  log.add_thread("0");
  log.add_thread("0.1");
  log.add_step(ThreadIndex{0}, {OperationKind::kBegin, {}});
  log.add_step(ThreadIndex{0}, {OperationKind::kStart, {}});
  log.add_step(ThreadIndex{1}, {OperationKind::kNotify, {}});
  log.add_choice({1, 0, 3, 2});
  EXPECT_EQ(to_text(log), "0 × 2\n0.1 × 1\nnotify by 0.1 at its step 0 wakes 3 of 3\n");
}

TEST(DecisionLog, DamageIsToldForWhatItIs) {
  Random random(3);
  const Bytes good = encode(random_log(random));
  const auto message = [](const Bytes& bytes) {
    const Result<DecisionLog> read = decode_decision_log(bytes);
    return read.ok() ? std::string("read") : read.error().message;
  };
  EXPECT_EQ(message({}), "not a decision log: it is too short");
  Bytes other = good;
  other[0] = 'X';
  EXPECT_EQ(message(other), "not a decision log: it begins otherwise");
  other = good;
  other[5] = 9;
  EXPECT_EQ(message(other), "a decision log of version 9; this program reads version 1: record it again");
  for (std::size_t i = 6; i < good.size(); ++i) {
    other = good;
    other[i] ^= 0x10;
    EXPECT_EQ(message(other), "the decision log is damaged (its checksum is wrong): record it again");
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_NE(message(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))), "read");
  }
}

// With a right checksum, so that the reader itself meets the damage.
TEST(DecisionLog, TheReaderSurvivesAnyBytes) {
  Random random(4);
  int read = 0;
  for (int round = 0; round < 20'000; ++round) {
    Bytes bytes = encode(random_log(random));
    const std::size_t body = bytes.size() - 15;
    for (std::uint32_t n = 1 + random.below(3); n != 0; --n) {
      const std::size_t at = 7 + random.next() % body;
      switch (random.below(3)) {
        case 0:
          bytes[at] = static_cast<std::uint8_t>(random.next());
          break;
        case 1:
          bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), 0xff);
          break;
        default:
          bytes[at] ^= static_cast<std::uint8_t>(1 << random.below(8));
      }
    }
    if (random.one_in(4)) bytes.resize(15 + random.next() % body);
    fix_checksum(bytes);
    const Result<DecisionLog> log = decode_decision_log(bytes);
    if (!log.ok()) continue;
    ++read;
    std::uint64_t steps = 0;
    for (DecisionLog::Cursor cursor(log.value()); !cursor.at_end(); cursor.advance()) {
      ASSERT_LT(cursor.thread(), log.value().names().size());
      ASSERT_LT(static_cast<std::uint8_t>(cursor.shape().kind), kOperationKinds);
      ++steps;
    }
    ASSERT_EQ(steps, log.value().steps());
    const Result<DecisionLog> again = decode_decision_log(encode(log.value()));
    ASSERT_TRUE(again.ok());
    ASSERT_TRUE(again.value() == log.value());
  }
  EXPECT_GT(read, 1000);  // a changed site or name is a log too
}

}  // namespace
}  // namespace deadheat::schedule
