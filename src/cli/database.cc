// SPDX-License-Identifier: Apache-2.0
#include "cli/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstring>

#include "report/json_fields.h"
#include "report/race_json.h"
#include "schedule/may_trigger.h"

namespace deadheat::cli {
namespace {

constexpr int kSchemaVersion = 3;  // 2: verdicts; 3: relations, hunted_runs
// Writers hold the file for milliseconds; only a stuck program keeps it longer.
constexpr int kBusyMilliseconds = 30'000;
constexpr int kRetryMilliseconds = 10;

constexpr const char* kSchema = R"sql(
CREATE TABLE IF NOT EXISTS runs(
  id INTEGER PRIMARY KEY,           -- the number of runs/<n>
  started TEXT NOT NULL,            -- UTC
  ended TEXT,                       -- NULL: deadheat itself was killed
  command TEXT NOT NULL,            -- JSON array
  exit_status INTEGER);             -- the program's own
CREATE TABLE IF NOT EXISTS jvms(
  run INTEGER NOT NULL REFERENCES runs(id),
  pid INTEGER NOT NULL,
  java TEXT NOT NULL,
  vm TEXT NOT NULL,
  command TEXT NOT NULL,
  ended INTEGER NOT NULL,           -- 0: killed, crashed or still running
  counters TEXT NOT NULL,           -- JSON object
  PRIMARY KEY(run, pid));
CREATE TABLE IF NOT EXISTS races(
  id TEXT PRIMARY KEY,
  first_seen TEXT NOT NULL,         -- UTC
  last_seen TEXT NOT NULL,
  first_run INTEGER NOT NULL,
  last_run INTEGER NOT NULL,
  count INTEGER NOT NULL,           -- over all runs
  json TEXT NOT NULL);              -- docs/records.md, as seen last
CREATE TABLE IF NOT EXISTS verdicts(
  race TEXT PRIMARY KEY,
  run INTEGER NOT NULL,             -- the run of `deadheat confirm`
  decided TEXT NOT NULL,            -- UTC
  verdict TEXT NOT NULL,            -- harmful, real, not confirmed
  json TEXT NOT NULL);              -- docs/records.md, "Verdicts"
CREATE TABLE IF NOT EXISTS relations(
  method TEXT NOT NULL,             -- a.b.C.m
  lock_type TEXT NOT NULL,          -- docs/hunt.md
  first_run INTEGER NOT NULL,       -- the run of `deadheat hunt`
  PRIMARY KEY(method, lock_type)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hunted_runs(
  run INTEGER NOT NULL,             -- the run of `deadheat hunt`
  strategy TEXT NOT NULL,
  seed INTEGER NOT NULL,
  exit_status INTEGER NOT NULL,     -- the program's own
  milliseconds INTEGER NOT NULL,
  holds INTEGER NOT NULL,
  thrashing INTEGER NOT NULL,
  races TEXT NOT NULL,              -- JSON array of race ids
  PRIMARY KEY(run, strategy, seed));
)sql";

constexpr const char* kNow = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

// A prepared statement with its parameters bound in order.
class Statement {
 public:
  Statement(sqlite3* handle, const std::string& sql) {
    if (sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK) statement_ = nullptr;
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::int64_t value) {
    sqlite3_bind_int64(statement_, ++bound_, value);
    return *this;
  }
  Statement& bind(const std::string& value) {
    sqlite3_bind_text(statement_, ++bound_, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
    return *this;
  }
  // SQLITE_ROW, SQLITE_DONE, or an error code.
  int step() { return statement_ == nullptr ? SQLITE_ERROR : sqlite3_step(statement_); }

  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string text(int column) const {
    const unsigned char* value = sqlite3_column_text(statement_, column);
    return value == nullptr ? std::string() : reinterpret_cast<const char*>(value);
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

}  // namespace

void Database::Closer::operator()(sqlite3* handle) const { sqlite3_close(handle); }

Error Database::failure() const {
  // "disk I/O error" alone does not say that the disk is full.
  const int cause = sqlite3_system_errno(handle_.get());
  const int code = sqlite3_errcode(handle_.get());
  const bool damaged = code == SQLITE_NOTADB || code == SQLITE_CORRUPT;
  return Error{fmt::format("cannot use the database {}: {}{}{}", file_.string(), sqlite3_errmsg(handle_.get()),
                           cause == 0 ? std::string() : fmt::format(" ({})", std::strerror(cause)),
                           damaged ? "; move it away to begin a new one ('deadheat report RUN' still shows single "
                                     "runs), or use another folder with --state DIR"
                                   : "")};
}

Status Database::execute(const char* sql) const {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) return failure();
  return Ok{};
}

// The switch of a new file to WAL is the one step for which SQLite does not wait when another program is at it too.
Status Database::use_wal() const {
  int result;
  for (int waited = 0; waited < kBusyMilliseconds; waited += kRetryMilliseconds) {
    result = sqlite3_exec(handle_.get(), "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
    if (result != SQLITE_BUSY) break;
    sqlite3_sleep(kRetryMilliseconds);
  }
  if (result != SQLITE_OK) return failure();
  return Ok{};
}

Result<std::int64_t> Database::schema_version() const {
  Statement version(handle_.get(), "PRAGMA user_version");
  if (version.step() != SQLITE_ROW) return failure();
  return version.integer(0);
}

Status Database::prepare_schema() const {
  Result<std::int64_t> version = schema_version();
  if (!version) return version.error();
  if (version.value() > kSchemaVersion) {
    return Error{fmt::format("{} was made by a newer deadheat; use that one, or another folder with --state DIR",
                             file_.string())};
  }
  if (version.value() == kSchemaVersion) return Ok{};
  if (Status begun = execute("BEGIN IMMEDIATE"); !begun) return begun;
  if (Status made = execute(kSchema); !made) return made;
  if (Status marked = execute(fmt::format("PRAGMA user_version={}", kSchemaVersion).c_str()); !marked) return marked;
  return execute("COMMIT");
}

Result<Database> Database::open(const std::filesystem::path& file) {
  sqlite3* handle = nullptr;
  const int opened = sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  Database database(file, handle);
  if (opened != SQLITE_OK) return database.failure();
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  if (Status mode = database.use_wal(); !mode) return mode.error();
  if (Status schema = database.prepare_schema(); !schema) return schema.error();
  return database;
}

Status Database::begin_run(std::uint32_t run, const std::vector<std::string>& command) {
  Statement insert(handle_.get(),
                   fmt::format("INSERT OR REPLACE INTO runs(id, started, command) VALUES(?, {}, ?)", kNow));
  insert.bind(run).bind(report::json_text(command));
  if (insert.step() != SQLITE_DONE) return failure();
  return Ok{};
}

Status Database::insert_jvm(std::uint32_t run, const report::JvmRecords& jvm) const {
  Statement insert(handle_.get(), "INSERT OR REPLACE INTO jvms VALUES(?, ?, ?, ?, ?, ?, ?)");
  insert.bind(run).bind(jvm.pid).bind(jvm.java).bind(jvm.vm).bind(jvm.command);
  insert.bind(jvm.ended ? 1 : 0).bind(report::json_text(jvm.counters));
  if (insert.step() != SQLITE_DONE) return failure();
  return Ok{};
}

Status Database::insert_race(std::uint32_t run, const report::Race& race) const {
  Statement upsert(handle_.get(),
                   fmt::format("INSERT INTO races VALUES(?, {0}, {0}, ?2, ?2, ?3, ?4) ON CONFLICT(id) DO UPDATE SET "
                               "last_seen={0}, last_run=?2, count=count+?3, "
                               // A race stays one when it is seen again as a mere candidate.
                               "json=CASE WHEN ?5 AND json_extract(json, '$.detector') IS NULL THEN json ELSE ?4 END",
                               kNow));
  upsert.bind(race.id).bind(run).bind(static_cast<std::int64_t>(race.count));
  upsert.bind(report::json_text(report::race_to_json(race))).bind(race.detector.empty() ? 0 : 1);
  if (upsert.step() != SQLITE_DONE) return failure();
  return Ok{};
}

Status Database::finish_run(std::uint32_t run, int exit_status, const report::RunReport& report) {
  if (Status begun = execute("BEGIN IMMEDIATE"); !begun) return begun;
  Status done = [&]() -> Status {
    Statement update(handle_.get(), fmt::format("UPDATE runs SET ended={}, exit_status=? WHERE id=?", kNow));
    update.bind(exit_status).bind(run);
    if (update.step() != SQLITE_DONE) return failure();
    for (const report::JvmRecords& jvm : report.jvms) {
      if (Status inserted = insert_jvm(run, jvm); !inserted) return inserted;
    }
    for (const report::Race& race : report.races) {
      if (Status inserted = insert_race(run, race); !inserted) return inserted;
    }
    for (const report::SuppressedRace& entry : report.suppressed) {
      if (Status inserted = insert_race(run, entry.race); !inserted) return inserted;
    }
    return execute("COMMIT");
  }();
  if (!done) sqlite3_exec(handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  return done;
}

Status Database::store_verdict(std::uint32_t run, const report::Verdict& verdict) {
  Statement insert(handle_.get(), fmt::format("INSERT OR REPLACE INTO verdicts VALUES(?, ?, {}, ?, ?)", kNow));
  insert.bind(verdict.race).bind(run).bind(std::string(report::verdict_name(verdict.kind)));
  insert.bind(report::json_text(report::verdict_to_json(verdict)));
  if (insert.step() != SQLITE_DONE) return failure();
  return Ok{};
}

Result<std::map<std::string, report::Verdict>> Database::verdicts() const {
  Statement select(handle_.get(), "SELECT race, json FROM verdicts");
  std::map<std::string, report::Verdict> verdicts;
  int row;
  while ((row = select.step()) == SQLITE_ROW) {
    const auto json = nlohmann::json::parse(select.text(1), nullptr, /*allow_exceptions=*/false);
    verdicts[select.text(0)] = report::verdict_from_json(json);
  }
  if (row != SQLITE_DONE) return failure();
  return verdicts;
}

Result<std::string> Database::relations() const {
  Statement select(handle_.get(), "SELECT method, lock_type FROM relations");
  std::string text;
  int row;
  while ((row = select.step()) == SQLITE_ROW) text += select.text(0) + "\t" + select.text(1) + "\n";
  if (row != SQLITE_DONE) return failure();
  return text;
}

Result<std::uint64_t> Database::add_relations(std::uint32_t run, const std::string& text) {
  schedule::MayTrigger relations;
  relations.read(text);
  if (Status begun = execute("BEGIN IMMEDIATE"); !begun) return begun.error();
  std::uint64_t added = 0;
  for (const auto& [method, type] : relations.all()) {
    Statement insert(handle_.get(), "INSERT OR IGNORE INTO relations VALUES(?, ?, ?)");
    insert.bind(relations.name(method)).bind(relations.name(type)).bind(run);
    if (insert.step() != SQLITE_DONE) {
      const Error error = failure();
      sqlite3_exec(handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
      return error;
    }
    added += static_cast<std::uint64_t>(sqlite3_changes(handle_.get()));
  }
  if (Status done = execute("COMMIT"); !done) return done.error();
  return added;
}

Status Database::forget_hunts() { return execute("DELETE FROM relations; DELETE FROM hunted_runs"); }

Status Database::store_hunted_run(std::uint32_t run, const HuntedRun& hunted) {
  Statement insert(handle_.get(), "INSERT OR REPLACE INTO hunted_runs VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(run).bind(hunted.strategy).bind(static_cast<std::int64_t>(hunted.seed)).bind(hunted.exit_status);
  insert.bind(hunted.milliseconds).bind(static_cast<std::int64_t>(hunted.holds));
  insert.bind(static_cast<std::int64_t>(hunted.thrashing)).bind(report::json_text(hunted.races));
  if (insert.step() != SQLITE_DONE) return failure();
  return Ok{};
}

Result<std::uint64_t> Database::last_seed(const std::string& strategy) const {
  Statement select(handle_.get(), "SELECT coalesce(max(seed), 0) FROM hunted_runs WHERE strategy=?");
  select.bind(strategy);
  if (select.step() != SQLITE_ROW) return failure();
  return static_cast<std::uint64_t>(select.integer(0));
}

Result<std::vector<StoredRace>> Database::races() const {
  Statement select(handle_.get(),
                   "SELECT json, count, first_seen, last_seen FROM races ORDER BY last_run DESC, last_seen DESC, id");
  std::vector<StoredRace> races;
  int row;
  while ((row = select.step()) == SQLITE_ROW) {
    const auto json = nlohmann::json::parse(select.text(0), nullptr, /*allow_exceptions=*/false);
    StoredRace stored{report::race_from_json(json), select.text(2), select.text(3)};
    stored.race.count = static_cast<std::uint64_t>(select.integer(1));
    races.push_back(std::move(stored));
  }
  if (row != SQLITE_DONE) return failure();
  return races;
}

}  // namespace deadheat::cli
