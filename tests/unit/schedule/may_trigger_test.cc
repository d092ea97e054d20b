// SPDX-License-Identifier: Apache-2.0
#include "schedule/may_trigger.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/random.h"

namespace deadheat::schedule {
namespace {

std::set<std::string> lines(const MayTrigger& relation) {
  std::set<std::string> found;
  for (const auto& [method, type] : relation.all()) found.insert(relation.name(method) + " " + relation.name(type));
  return found;
}

TEST(MayTrigger, Table1OfThePaper) {
  MayTrigger relation;
  const auto request = [&](std::vector<std::string> stack, const char* type) {
    std::vector<MethodNumber> methods;
    for (const std::string& name : stack) methods.push_back(relation.method(name));
    relation.learn(methods, relation.type(type));
  };
  // Figure 2, thread by thread: e1 to e3, e4 to e6, e7 to e9.
  request({"f1"}, "k");
  request({"f2", "f1"}, "c1");
  request({"f2", "f1"}, "n");
  request({"f4", "f3"}, "c2");
  request({"f4", "f3"}, "c3");
  request({"f5", "f4", "f3"}, "n");
  request({"f7", "f6"}, "c4");
  request({"f7", "f6"}, "c5");
  request({"f8", "f7", "f6"}, "k");
  EXPECT_EQ(lines(relation),
            (std::set<std::string>{"f1 k", "f1 c1", "f1 n", "f2 c1", "f2 n", "f3 c2", "f3 c3", "f3 n", "f4 c2", "f4 c3",
                                   "f4 n", "f5 n", "f6 c4", "f6 c5", "f6 k", "f7 c4", "f7 c5", "f7 k", "f8 k"}));
}

TEST(MayTrigger, DepthBoundsBothSides) {
  MayTrigger relation(2);
  const MethodNumber a = relation.method("a"), b = relation.method("b"), c = relation.method("c");
  const LockType lock = relation.type("Lock");
  EXPECT_EQ(relation.learn(std::vector{a, b, c}, lock), 2u);
  EXPECT_EQ(relation.learn(std::vector{a, b, c}, lock), 0u);
  EXPECT_TRUE(relation.may_trigger(std::vector{b}, lock));
  EXPECT_FALSE(relation.may_trigger(std::vector{c}, lock));
  EXPECT_TRUE(relation.may_trigger(std::vector{c, b, a}, lock));
  EXPECT_FALSE(relation.may_trigger(std::vector{c, c, a}, lock));
  EXPECT_FALSE(relation.may_trigger(std::vector{a}, relation.type("Other")));
  EXPECT_FALSE(relation.may_trigger({}, lock));
}

TEST(MayTrigger, TextHoldsEverything) {
  Random random(7);
  MayTrigger first(3);
  for (int i = 0; i < 500; ++i) {
    std::vector<MethodNumber> stack;
    for (std::uint32_t frame = random.below(5); frame > 0; --frame) {
      stack.push_back(first.method("C" + std::to_string(random.below(40)) + ".m"));
    }
    first.learn(stack, first.type("L" + std::to_string(random.below(9))));
  }
  MayTrigger second(3);
  EXPECT_EQ(second.read(first.text()), 0u);
  EXPECT_EQ(lines(second), lines(first));
}

TEST(MayTrigger, WhatIsNoRelationIsCounted) {
  MayTrigger relation;
  EXPECT_EQ(relation.read("A.f\tL\nnothing\n\tL\nA.g\t\nA.h\tL\tmore\n\nB.f\tL"), 4u);
  EXPECT_EQ(lines(relation), (std::set<std::string>{"A.f L", "B.f L"}));
}

}  // namespace
}  // namespace deadheat::schedule
