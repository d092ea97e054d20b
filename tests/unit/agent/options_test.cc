// SPDX-License-Identifier: Apache-2.0
#include "agent/options.h"

#include <gtest/gtest.h>

namespace deadheat::agent {
namespace {

TEST(AgentOptions, NothingGivenMeansDetect) {
  const Result<Options> options = parse_options("");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options.value().engine, EngineKind::kDetect);
  EXPECT_TRUE(options.value().fast_path);
  EXPECT_TRUE(options.value().directory.empty());
}

TEST(AgentOptions, ReadsPairsAndDecodesValues) {
  const Result<Options> options =
      parse_options("dir=/a%20b%2cc,fast_path=off,,include=x.*;*Test,engine=hit,halt_on_error=on");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options.value().directory, "/a b,c");
  EXPECT_FALSE(options.value().fast_path);
  EXPECT_EQ(options.value().include, (std::vector<std::string>{"x.*", "*Test"}));
  EXPECT_EQ(options.value().engine, EngineKind::kAlwaysHit);
  EXPECT_TRUE(options.value().halt_on_error);
}

TEST(AgentOptions, OfAHunt) {
  const Result<Options> options =
      parse_options("hunt=drfinder,seed=7,relations=/a%20b,hunt_depth=4,hold_limit=9,hold_share=20");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options.value().hunt.strategy, "drfinder");
  EXPECT_EQ(options.value().hunt.relations, "/a b");
  EXPECT_EQ(options.value().hunt.depth, 4u);
  EXPECT_EQ(options.value().hunt.hold_limit, 9u);
  EXPECT_EQ(options.value().hunt.hold_share, 20u);
  EXPECT_EQ(options.value().schedule.seed, 7u);
  EXPECT_EQ(parse_options("engine=relations").value().engine, EngineKind::kRelations);
  EXPECT_FALSE(parse_options("hunt=sometimes").ok());
  EXPECT_FALSE(parse_options("hunt_depth=0").ok());
}

TEST(AgentOptions, AWrongNameIsToldWithTheRightOnes) {
  const Result<Options> options = parse_options("fastpath=off");
  ASSERT_FALSE(options.ok());
  EXPECT_NE(options.error().message.find("'fastpath'"), std::string::npos);
  EXPECT_NE(options.error().message.find("fast_path=on|off"), std::string::npos);
}

TEST(AgentOptions, AWrongValueIsToldWithTheRightOnes) {
  const Result<Options> options = parse_options("engine=fast");
  ASSERT_FALSE(options.ok());
  EXPECT_NE(options.error().message.find("detect|hit|count|off|hybrid|lockset|schedule"), std::string::npos);
}

}  // namespace
}  // namespace deadheat::agent
