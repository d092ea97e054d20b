// SPDX-License-Identifier: Apache-2.0
#include "cli/database.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "tests/unit/report/scratch_folder.h"

namespace deadheat::cli {
namespace {

report::Race race(const std::string& id, std::uint64_t count) {
  report::Race race;
  race.id = id;
  race.count = count;
  return race;
}

class DatabaseTest : public testing::Test {
 protected:
  Database open() {
    Result<Database> database = Database::open(file());
    EXPECT_TRUE(database.ok()) << (database.ok() ? "" : database.error().message);
    return std::move(database).value();
  }
  std::filesystem::path file() const { return scratch_.path() / "deadheat.db"; }

  ScratchFolder scratch_;
};

TEST_F(DatabaseTest, RacesAddUpOverRuns) {
  for (std::uint32_t run = 1; run <= 3; ++run) {
    Database database = open();
    ASSERT_TRUE(database.begin_run(run, {"java", "\xff not UTF-8"}).ok());
    report::RunReport report;
    report.races = {race("R1", 2)};
    if (run == 2) report.suppressed = {{race("R2", 5), "list:1: race:x"}};
    report.jvms.resize(1);
    ASSERT_TRUE(database.finish_run(run, 66, report).ok());
  }
  const Result<std::vector<StoredRace>> races = open().races();
  ASSERT_TRUE(races.ok());
  ASSERT_EQ(races.value().size(), 2u);
  EXPECT_EQ(races.value()[0].race.id, "R1") << "the one seen last comes first";
  EXPECT_EQ(races.value()[0].race.count, 6u);
  EXPECT_EQ(races.value()[1].race.count, 5u);
  EXPECT_EQ(races.value()[0].first_seen.size(), std::string("2026-01-31T12:34:56Z").size());
}

TEST_F(DatabaseTest, TheLatestVerdictStays) {
  Database database = open();
  report::Verdict verdict;
  verdict.race = "R1";
  verdict.kind = report::VerdictKind::kHarmful;
  ASSERT_TRUE(database.store_verdict(1, verdict).ok());
  verdict.kind = report::VerdictKind::kReal;
  verdict.seed = 7;
  ASSERT_TRUE(database.store_verdict(2, verdict).ok());
  const auto verdicts = open().verdicts();
  ASSERT_TRUE(verdicts.ok());
  ASSERT_EQ(verdicts.value().size(), 1u);
  EXPECT_EQ(verdicts.value().at("R1").kind, report::VerdictKind::kReal);
  EXPECT_EQ(verdicts.value().at("R1").seed, 7u);
}

TEST_F(DatabaseTest, ARaceStaysOneWhenSeenAsACandidate) {
  const auto detector_after = [&](std::uint32_t run, const std::string& detector) {
    Database database = open();
    report::RunReport report;
    report.races = {race("R1", 1)};
    report.races[0].detector = detector;
    EXPECT_TRUE(database.begin_run(run, {"java"}).ok() && database.finish_run(run, 66, report).ok());
    return database.races().value().at(0).race.detector;
  };
  EXPECT_EQ(detector_after(1, "lockset"), "lockset");
  EXPECT_EQ(detector_after(2, "hybrid"), "hybrid");
  EXPECT_EQ(detector_after(3, ""), "");
  EXPECT_EQ(detector_after(4, "hybrid"), "");
}

TEST_F(DatabaseTest, RelationsAreKeptAndForgotten) {
  Database database = open();
  EXPECT_EQ(database.add_relations(1, "A.f\tLock\nA.g\tLock\n").value(), 2u);
  EXPECT_EQ(database.add_relations(2, "A.f\tLock\nno relation\nA.f\tOther\n").value(), 1u);
  EXPECT_EQ(open().relations().value(), "A.f\tLock\nA.f\tOther\nA.g\tLock\n");
  ASSERT_TRUE(database.forget_hunts().ok());
  EXPECT_EQ(open().relations().value(), "");
}

TEST_F(DatabaseTest, AHuntGoesOnBehindTheLastSeed) {
  Database database = open();
  EXPECT_EQ(database.last_seed("drfinder").value(), 0u);
  for (const std::uint64_t seed : {3, 7, 5}) {
    ASSERT_TRUE(database.store_hunted_run(1, {"drfinder", seed, 0, 100, 2, 1, {"R1"}}).ok());
  }
  EXPECT_EQ(open().last_seed("drfinder").value(), 7u);
  EXPECT_EQ(open().last_seed("contest").value(), 0u);
}

TEST_F(DatabaseTest, AnOlderSchemaIsBroughtUpToDate) {
  open();
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(file().c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, "DROP TABLE relations; DROP TABLE hunted_runs; PRAGMA user_version=2", nullptr,
                         nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(handle);
  EXPECT_EQ(open().add_relations(1, "A.f\tLock\n").value(), 1u);
}

// A file as the first version left it: before there were verdicts.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE runs(id INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, command TEXT NOT NULL, exit_status INTEGER);
CREATE TABLE jvms(run INTEGER NOT NULL REFERENCES runs(id), pid INTEGER NOT NULL, java TEXT NOT NULL, vm TEXT NOT NULL,
  command TEXT NOT NULL, ended INTEGER NOT NULL, counters TEXT NOT NULL, PRIMARY KEY(run, pid));
CREATE TABLE races(id TEXT PRIMARY KEY, first_seen TEXT NOT NULL, last_seen TEXT NOT NULL, first_run INTEGER NOT NULL,
  last_run INTEGER NOT NULL, count INTEGER NOT NULL, json TEXT NOT NULL);
INSERT INTO runs VALUES(1, '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', '["java"]', 66);
INSERT INTO races VALUES('R1', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 1, 1, 3, '{"id": "R1", "count": 3}');
PRAGMA user_version=1;
)sql";

TEST_F(DatabaseTest, TheFirstVersionBecomesThisOne) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(file().c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, kVersion1, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(handle);

  Database database = open();
  const Result<std::vector<StoredRace>> races = database.races();
  ASSERT_TRUE(races.ok());
  ASSERT_EQ(races.value().size(), 1u);
  EXPECT_EQ(races.value()[0].race.id, "R1");
  EXPECT_EQ(races.value()[0].race.count, 3u);
  EXPECT_TRUE(database.verdicts().value().empty());
  report::Verdict verdict;
  verdict.race = "R1";
  ASSERT_TRUE(database.store_verdict(2, verdict).ok());
  report::RunReport report;
  report.races = {race("R1", 2)};
  ASSERT_TRUE(database.begin_run(2, {"java"}).ok() && database.finish_run(2, 66, report).ok());
  EXPECT_EQ(open().races().value().at(0).race.count, 5u);
  EXPECT_EQ(open().verdicts().value().size(), 1u);
}

TEST_F(DatabaseTest, NewerSchemaIsRefused) {
  open();
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(file().c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, "PRAGMA user_version=1000", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(handle);
  const Result<Database> database = Database::open(file());
  ASSERT_FALSE(database.ok());
  EXPECT_NE(database.error().message.find("newer deadheat"), std::string::npos);
}

}  // namespace
}  // namespace deadheat::cli
