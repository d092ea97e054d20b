// SPDX-License-Identifier: Apache-2.0
#include "report/rules_table.h"

#include <gtest/gtest.h>

#include "report/summary.h"

namespace deadheat::report {
namespace {

JvmRecords jvm_with(std::map<std::string, std::int64_t> counters) {
  JvmRecords jvm;
  jvm.ended = true;
  jvm.counters = std::move(counters);
  return jvm;
}

JvmRecords counted(std::int64_t fast_path) {
  return jvm_with({{"fast_path", fast_path},
                   {"rule READ SAME EPOCH", 600},
                   {"rule READ SHARED", 150},
                   {"rule READ EXCLUSIVE", 49},
                   {"rule READ SHARE", 1},
                   {"rule WRITE SAME EPOCH", 75},
                   {"rule WRITE EXCLUSIVE", 25},
                   {"rule ACQUIRE", 60},
                   {"rule ACQUIRE JOIN", 15},
                   {"rule RELEASE", 40}});
}

bool has_line(const std::string& table, const std::string& line) {
  return table.find(line + "\n") != std::string::npos;
}

TEST(RulesTable, SharesOfReadsWritesAndAllOperations) {
  const std::string table = rules_table({counted(0), counted(0)});
  EXPECT_TRUE(has_line(table, "  Reads                                    1,600    80.0 % of all operations")) << table;
  EXPECT_TRUE(has_line(table, "    READ SAME EPOCH                        1,200    75.0 % of reads")) << table;
  EXPECT_TRUE(has_line(table, "    READ SHARE                                 2     0.1 % of reads")) << table;
  EXPECT_TRUE(has_line(table, "  Writes                                     200    10.0 % of all operations")) << table;
  EXPECT_TRUE(has_line(table, "    WRITE SHARED                               0     0.0 % of writes")) << table;
  // A rule that refines another is not added to the operations again.
  EXPECT_TRUE(has_line(table, "  Other                                      200    10.0 % of all operations")) << table;
  EXPECT_TRUE(has_line(table, "      ACQUIRE JOIN                            30    15.0 % of other")) << table;
  EXPECT_EQ(table.find("fast path"), std::string::npos) << table;
}

TEST(RulesTable, GivesNoShareOfWhatTheFastPathDoesNotCount) {
  JvmRecords old_agent = counted(0);
  old_agent.counters.erase("fast_path");
  for (const std::vector<JvmRecords>& jvms : {std::vector{counted(0), counted(1)}, std::vector{old_agent}}) {
    const std::string table = rules_table(jvms);
    EXPECT_EQ(table.find('%'), std::string::npos) << table;
    EXPECT_NE(table.find("--no-fast-path"), std::string::npos) << table;
  }
}

TEST(RulesTable, SaysWhenAccessesWereLeftOut) {
  JvmRecords jvm = counted(0);
  EXPECT_EQ(rules_table({jvm}).find("redundant"), std::string::npos);
  jvm.counters["points_redundant"] = 3;
  EXPECT_NE(rules_table({jvm}).find("redundant"), std::string::npos);
}

TEST(RulesTable, IsEmptyWithoutRules) {
  EXPECT_EQ(rules_table({}), "");
  EXPECT_EQ(rules_table({jvm_with({{"classes_seen", 5}})}), "");
}

TEST(CountersTable, LeavesTheRulesToTheirOwn) {
  const std::string table = counters_table({jvm_with({{"classes_seen", 5}, {"rule ACQUIRE", 7}})});
  EXPECT_NE(table.find("classes_seen"), std::string::npos);
  EXPECT_EQ(table.find("ACQUIRE"), std::string::npos) << table;
}

}  // namespace
}  // namespace deadheat::report
