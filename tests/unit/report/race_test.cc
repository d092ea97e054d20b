// SPDX-License-Identifier: Apache-2.0
#include "report/race.h"

#include <gtest/gtest.h>

#include "report/machine_reports.h"
#include "report/race_json.h"
#include "report/text.h"

namespace deadheat::report {
namespace {

TEST(Variable, Names) {
  const Variable field{VariableKind::kField, "a.C", "x", {}};
  EXPECT_EQ(variable_name(field), "a.C.x");
  EXPECT_EQ(describe(field), "field a.C.x");
  EXPECT_EQ(describe({VariableKind::kStatic, "a.C", "x", {}}), "static field a.C.x");
  EXPECT_EQ(variable_name({VariableKind::kArray, "int[]", "", 3}), "int[3]");
  EXPECT_EQ(describe({VariableKind::kArray, "int[]", "", 3}), "element 3 of an int[]");
  EXPECT_EQ(describe({VariableKind::kArray, "byte[]", "", {}}), "an element of a byte[]");
  EXPECT_EQ(describe({VariableKind::kArray, "", "", {}}), "an array element");
  EXPECT_EQ(describe(Variable{}), "unknown variable");
}

TEST(Candidate, IsNeverCalledARace) {
  Race race;
  race.variable = {VariableKind::kField, "a.C", "x", {}};
  EXPECT_EQ(race_headline(race), "data race on field a.C.x");
  EXPECT_FALSE(race_to_json(race).contains("detector"));
  race.detector = "hybrid";
  const Race again = race_from_json(race_to_json(race));
  EXPECT_EQ(again.detector, "hybrid");
  EXPECT_EQ(race_headline(again), "possible race (hybrid) on field a.C.x");
}

TEST(Stack, FirstApplicationFrame) {
  const Stack stack = {{"java.util.ArrayList", "add", "ArrayList.java", 455}, {"javafx.App", "log", "App.java", 3}};
  ASSERT_NE(first_application_frame(stack), nullptr);
  EXPECT_EQ(first_application_frame(stack)->method, "log");
  EXPECT_EQ(first_application_frame({stack.front()}), nullptr);
}

// What comes with a language is as little the program's as the JDK is; a thread pool's races are its own.
TEST(Stack, FirstApplicationFrameOfOtherLanguages) {
  const Frame own = {"shop.Orders", "add", "Orders.scala", 3};
  EXPECT_EQ(first_application_frame({{"scala.collection.mutable.ArrayBuffer", "size0", "ArrayBuffer.scala", 48}, own})
                ->method,
            "add");
  EXPECT_EQ(first_application_frame({{"kotlin.UnsafeLazyImpl", "getValue", "Lazy.kt", 80}, own})->method, "add");
  EXPECT_EQ(
      first_application_frame({{"scala.concurrent.forkjoin.ForkJoinPool", "scan", "ForkJoinPool.java", 2029}, own})
          ->method,
      "scan");
  EXPECT_FALSE(is_library_class("kotlinx.coroutines.Job"));
}

TEST(RaceJson, RoundTrip) {
  const auto json = nlohmann::json::parse(R"({"type":"race","id":"R1","count":7,"pid":12,
    "variable":{"kind":"static","class":"a.C","field":"x"},
    "accesses":[{"write":true,"thread":{"id":1,"name":"main","main":true,"created_at":[{"class":"a.C","method":"m"}]},
                 "stack":[{"class":"a.C","method":"m","file":"C.java","line":12}],"locks":["a.L@1"]},
                {"write":false,"thread":{"id":2,"name":"t","created_by":{"id":1,"name":"main"}},
                 "stack":[],"stack_complete":false,"locks":[]}],
    "object":{"name":"a.C@5","allocated_at":[{"class":"a.C","method":"main","file":"C.java"}]}})");
  EXPECT_EQ(race_to_json(race_from_json(json)), json);
}

TEST(RaceJson, AnythingMayBeMissingOrWrong) {
  const Race empty = race_from_json(nlohmann::json::object());
  EXPECT_EQ(empty.id, "");
  EXPECT_EQ(empty.count, 1u);
  const Race wrong = race_from_json(nlohmann::json::parse(
      R"({"id":5,"count":-3,"variable":[],"accesses":[1,{"stack":{"a":1},"thread":"x","locks":[{"class":"L","hash":31}]}]})"));
  EXPECT_EQ(wrong.id, "");
  EXPECT_EQ(wrong.count, 1u);
  ASSERT_EQ(wrong.accesses.size(), 2u);
  EXPECT_EQ(wrong.accesses[1].locks, std::vector<std::string>{"L@31"});
  EXPECT_EQ(wrong.accesses[0].locks, std::nullopt) << "not known is not the same as none";
}

std::string text_of(const char* accesses) {
  SourceLines sources({});
  return race_text(race_from_json(nlohmann::json::parse(std::string(R"({"accesses":)") + accesses + "}")), sources);
}

TEST(RaceText, SaysWhereThreadsComeFrom) {
  const std::string text = text_of(R"([
    {"thread":{"id":7,"name":"t","created_by":{"id":1,"name":"main"},
               "created_at":[{"class":"java.lang.Thread","method":"start","file":"Thread.java","line":9},
                             {"class":"a.C","method":"go","file":"C.java","line":3}]}},
    {"thread":{"id":1,"name":"main","main":true}}])");
  EXPECT_NE(text.find("  Thread \"t\" (id 7) created by thread \"main\" (id 1) at:\n"
                      "    #0 java.lang.Thread.start (Thread.java:9)\n    #1 a.C.go (C.java:3)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  Thread \"main\" (id 1) is the main thread\n"), std::string::npos) << text;
}

TEST(RaceText, SaysWhichCreationIsNotKnown) {
  const std::string not_kept = text_of(R"([{"thread":{"id":7,"created_by":{"id":5,"name":""}}}])");
  EXPECT_NE(not_kept.find("  Thread 7 created by thread 5 (its stack was not kept)\n"), std::string::npos) << not_kept;
  const std::string old_agent = text_of(R"([{"thread":{"id":7,"name":"t"}}])");
  EXPECT_EQ(old_agent.find("created"), std::string::npos) << old_agent;
}

TEST(RaceText, SaysWhichMonitorsAreHeld) {
  const std::string text = text_of(R"([{"locks":["a.L@1","class a.C"]},{}])");
  EXPECT_NE(text.find("Read by thread 0, holding a.L@1, class a.C:"), std::string::npos) << text;
  EXPECT_NE(text.find("Previous read by thread 0, monitors held not known:"), std::string::npos) << text;
  EXPECT_NE(text_of(R"([{"locks":[]}])").find("Read by thread 0, no monitor held:"), std::string::npos);
  EXPECT_NE(text_of("[{},{}]").find("Previous read by thread 0:"), std::string::npos)
      << "an old agent: nothing to compare";
}

TEST(Sarif, PlacesTheCreationOfThreads) {
  RunReport report;
  report.races.push_back(race_from_json(nlohmann::json::parse(R"({"id":"R1","accesses":[
    {"stack":[{"class":"a.C","method":"m"}],"thread":{"id":7,"name":"t","created_by":{"id":1,"name":"main"},
      "created_at":[{"class":"java.lang.Thread","method":"start"},{"class":"a.C","method":"go","file":"C.java","line":3}]}}]})")));
  SourceLines sources({});
  const auto document = nlohmann::json::parse(sarif_report(report, "1", sources));
  const auto& related = document["runs"][0]["results"][0]["relatedLocations"];
  ASSERT_EQ(related.size(), 1u);
  EXPECT_EQ(related[0]["message"]["text"], "thread \"t\" created by thread \"main\"");
  EXPECT_EQ(related[0]["physicalLocation"]["region"]["startLine"], 3);
}

TEST(RaceText, IsPrintableHoweverLittleIsKnown) {
  SourceLines sources({});
  const std::string text = race_text(race_from_json(nlohmann::json::parse(R"({"accesses":[{},{}]})")), sources);
  EXPECT_NE(text.find("Read by thread 0:\n    (stack not known)"), std::string::npos) << text;
  EXPECT_NE(text.find("SUMMARY: deadheat: data race on unknown variable\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace deadheat::report
