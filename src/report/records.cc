// SPDX-License-Identifier: Apache-2.0
#include "report/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <unordered_map>

#include "report/json_fields.h"
#include "report/race_json.h"
#include "report/utf8.h"

namespace deadheat::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view kJvmFolderPrefix = "jvm-";

void add_start(const json& record, JvmRecords& jvm) {
  jvm.pid = int_member(record, "pid", jvm.pid);
  jvm.vm = text_member(record, "vm");
  jvm.version = text_member(record, "version");
  jvm.java = text_member(record, "java");
  jvm.command = text_member(record, "command");
}

// A JVM may write a race again to bring its count up to date: the later record of one JVM includes the earlier.
bool add_race(const json& record, JvmRecords& jvm) {
  Race race = race_from_json(record);
  if (race.id.empty()) return false;
  race.pid = jvm.pid;
  for (Race& known : jvm.races) {
    if (known.id != race.id) continue;
    known.count = std::max(known.count, race.count);
    return true;
  }
  jvm.races.push_back(std::move(race));
  return true;
}

void add_counts(const json& record, JvmRecords& jvm) {
  const json& counts = member(record, "counts");
  for (Race& race : jvm.races) {
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(0, int_member(counts, race.id.c_str())));
    race.count = std::max(race.count, count);
    if (Stack places = stack_from_json(member(member(record, "places"), race.id.c_str())); !places.empty()) {
      race.places = std::move(places);
    }
  }
}

void add_places(Stack& known, const Stack& more) {
  for (const Frame& place : more) {
    if (std::find(known.begin(), known.end(), place) == known.end()) known.push_back(place);
  }
}

void add_counters(const json& values, const std::string& prefix, JvmRecords& jvm) {
  if (!values.is_object()) return;
  for (const auto& [name, value] : values.items()) {
    if (value.is_number_integer()) jvm.counters[prefix + name] = value.get<std::int64_t>();
  }
}

void add_end(const json& record, JvmRecords& jvm) {
  jvm.ended = true;
  add_counters(member(record, "counters"), "", jvm);
  add_counters(member(record, "rules"), "rule ", jvm);
}

// False when the line is no record. A type this version does not know is skipped: a newer agent may write more.
bool add_record(const std::string& line, JvmRecords& jvm) {
  const json record = json::parse(valid_utf8(line), nullptr, /*allow_exceptions=*/false);
  if (!record.is_object()) return false;
  const std::string type = text_member(record, "type");
  if (type.empty()) return false;
  if (type == "start") {
    add_start(record, jvm);
  } else if (type == "warning") {
    jvm.warnings.push_back(text_member(record, "message"));
    jvm.gave_up |= bool_member(record, "fatal", false);
  } else if (type == "bad_class" || type == "skipped_method" || type == "skipped_accesses") {
    jvm.unwatched.push_back({text_member(record, "class"), text_member(record, "method"), text_member(record, "reason"),
                             type == "skipped_accesses"});
  } else if (type == "race") {
    return add_race(record, jvm);
  } else if (type == "race_counts") {
    add_counts(record, jvm);
  } else if (type == "hunt") {
    jvm.hunt = hunt_outcome_from_json(record);
  } else if (type == "end") {
    add_end(record, jvm);
  } else {
    add_schedule_record(record, jvm.schedule);
  }
  return true;
}

// The process id in the folder's name, for a JVM that died before its start record.
std::int64_t pid_of_folder(const std::string& name) {
  std::int64_t pid = 0;
  std::from_chars(name.data() + kJvmFolderPrefix.size(), name.data() + name.size(), pid);
  return pid;
}

}  // namespace

Result<JvmRecords> read_jvm_records(const fs::path& file) {
  JvmRecords jvm;
  jvm.folder = file.parent_path();
  jvm.pid = pid_of_folder(file.parent_path().filename().string());
  std::ifstream input(file, std::ios::binary);
  if (!input) return Error{fmt::format("cannot read {}: {}", file.string(), std::strerror(errno))};
  std::string line;
  while (std::getline(input, line)) {
    const bool whole = !input.eof();
    if (line.empty() || add_record(line, jvm)) continue;
    if (whole) {
      ++jvm.bad_lines;
    } else {
      jvm.torn_tail = true;
    }
  }
  if (input.bad()) return Error{fmt::format("cannot read {}: {}", file.string(), std::strerror(errno))};
  return jvm;
}

Result<std::vector<JvmRecords>> read_run(const fs::path& run_folder) {
  std::error_code error;
  fs::directory_iterator entries(run_folder, error);
  if (error) return Error{fmt::format("cannot read {}: {}", run_folder.string(), error.message())};
  std::vector<JvmRecords> jvms;
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kJvmFolderPrefix)) continue;
    const fs::path file = entry.path() / "records.jsonl";
    if (!fs::exists(file, error)) {
      jvms.emplace_back().pid = pid_of_folder(name);
      continue;
    }
    Result<JvmRecords> jvm = read_jvm_records(file);
    if (!jvm) return jvm.error();
    jvms.push_back(std::move(jvm).value());
  }
  std::sort(jvms.begin(), jvms.end(), [](const JvmRecords& a, const JvmRecords& b) { return a.pid < b.pid; });
  return jvms;
}

std::vector<Race> merge_races(const std::vector<JvmRecords>& jvms) {
  std::vector<Race> merged;
  std::unordered_map<std::string, std::size_t> place;
  for (const JvmRecords& jvm : jvms) {
    for (const Race& race : jvm.races) {
      auto [found, fresh] = place.try_emplace(race.id, merged.size());
      if (fresh) {
        merged.push_back(race);
      } else {
        merged[found->second].count += race.count;
        add_places(merged[found->second].places, race.places);
      }
    }
  }
  return merged;
}

}  // namespace deadheat::report
