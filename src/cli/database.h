// SPDX-License-Identifier: Apache-2.0
//
// deadheat.db: runs, their JVMs, and every race across runs (SQLite). Several deadheat programs may use it at once: it
// is in WAL mode, writers wait for each other, and each change is one transaction. Schema: src/cli/database.cc.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/run_report.h"
#include "report/verdict.h"

struct sqlite3;

namespace deadheat::cli {

struct StoredRace {
  report::Race race;  // as last seen; the count is over all runs
  std::string first_seen;
  std::string last_seen;  // both UTC, 2026-01-31T12:34:56Z
};

class Database {
 public:
  // Opens or makes the file. Fails on one made by a newer deadheat.
  static Result<Database> open(const std::filesystem::path& file);

  Status begin_run(std::uint32_t run, const std::vector<std::string>& command);
  // Records how the run ended, its JVMs and its races, suppressed ones included.
  Status finish_run(std::uint32_t run, int exit_status, const report::RunReport& report);

  // The latest verdict on a race replaces the one before.
  Status store_verdict(std::uint32_t run, const report::Verdict& verdict);
  Result<std::map<std::string, report::Verdict>> verdicts() const;  // by race id

  // May-trigger relations, one a line, "method<tab>type" (schedule/may_trigger.h). Adding returns how many are new.
  Result<std::string> relations() const;
  Result<std::uint64_t> add_relations(std::uint32_t run, const std::string& text);
  Status forget_hunts();

  struct HuntedRun {
    std::string strategy;
    std::uint64_t seed = 0;
    int exit_status = 0;
    std::int64_t milliseconds = 0;
    std::uint64_t holds = 0, thrashing = 0;
    std::vector<std::string> races;  // ids
  };
  Status store_hunted_run(std::uint32_t run, const HuntedRun& hunted);
  // The highest seed that a hunt with this strategy has used; 0: none.
  Result<std::uint64_t> last_seed(const std::string& strategy) const;

  // All races, the one seen last first.
  Result<std::vector<StoredRace>> races() const;

 private:
  struct Closer {
    void operator()(sqlite3* handle) const;
  };
  Database(std::filesystem::path file, sqlite3* handle) : file_(std::move(file)), handle_(handle) {}

  Status execute(const char* sql) const;
  Status use_wal() const;
  Result<std::int64_t> schema_version() const;
  Status prepare_schema() const;
  Status insert_race(std::uint32_t run, const report::Race& race) const;
  Status insert_jvm(std::uint32_t run, const report::JvmRecords& jvm) const;
  Error failure() const;

  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Closer> handle_;
};

}  // namespace deadheat::cli
