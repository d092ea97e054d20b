// SPDX-License-Identifier: Apache-2.0
#include "cli/schedule_launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "report/records.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kTimeLimitStatus = 3;  // what the agent ends a process with
constexpr std::chrono::seconds kGrace{15};

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Which JVM the execution is about: the one with the meeting, else the one that went farthest under control.
const report::JvmRecords* principal(const std::vector<report::JvmRecords>& jvms) {
  const report::JvmRecords* best = nullptr;
  const auto rank = [](const report::JvmRecords& jvm) {
    const report::ScheduleRecords& records = jvm.schedule;
    return std::pair(!records.meetings.empty(), records.outcome ? records.outcome->steps + 1 : 0);
  };
  for (const report::JvmRecords& jvm : jvms) {
    if (best == nullptr || rank(jvm) > rank(*best)) best = &jvm;
  }
  return best;
}

}  // namespace

std::string schedule_option_text(const fs::path& folder, const ScheduleLaunch& launch) {
  std::string text =
      fmt::format("dir={},engine=schedule,strategy={},seed={},clock={},time_limit={}", percent_encoded(folder.string()),
                  launch.strategy, launch.seed, launch.clock, launch.time_limit);
  if (!launch.sites.empty()) text += ",at=" + percent_encoded(fmt::format("{}", fmt::join(launch.sites, "|")));
  if (launch.first != "coin") text += ",first=" + launch.first;
  if (!launch.aim.empty()) text += ",aim=" + percent_encoded(launch.aim);
  if (launch.lead != 0) text += fmt::format(",lead={}", launch.lead);
  if (!launch.replay.empty()) {
    text += (launch.strategy == "guided" ? ",plan=" : ",replay=") + percent_encoded(launch.replay.string());
  }
  if (launch.until_race) text += ",until=race";
  if (!launch.agents_apart) text += ",agents=mixed";
  if (launch.strategy == "pct") text += ",depth=1";
  if (launch.trace) text += ",trace=on";
  if (!launch.decisions) text += ",decisions=off";
  if (!launch.include.empty()) text += ",include=" + percent_encoded(fmt::format("{}", fmt::join(launch.include, ";")));
  if (!launch.exclude.empty()) text += ",exclude=" + percent_encoded(fmt::format("{}", fmt::join(launch.exclude, ";")));
  if (!launch.atomic.empty()) text += ",atomic=" + percent_encoded(fmt::format("{}", fmt::join(launch.atomic, ";")));
  if (launch.atomic_public) text += ",atomic_methods=public";
  if (!launch.methods.empty()) text += ",methods=" + percent_encoded(fmt::format("{}", fmt::join(launch.methods, ";")));
  return text;
}

Result<LaunchPlan> plan_with_agent(const std::vector<std::string>& command, const std::string& option_text) {
  Result<fs::path> library = find_agent_library();
  if (!library) return library.error();
  const char* own = std::getenv("JAVA_TOOL_OPTIONS");
  return plan_launch(command, library.value(), option_text,
                     own == nullptr ? std::nullopt : std::optional<std::string>(own));
}

std::chrono::seconds hard_limit(std::uint32_t time_limit) { return std::chrono::seconds(time_limit) + kGrace; }

Status start_controlled(ChildPool& pool, std::size_t id, const std::vector<std::string>& command,
                        const fs::path& folder, const ScheduleLaunch& launch) {
  Result<LaunchPlan> plan = plan_with_agent(command, schedule_option_text(folder, launch));
  if (!plan) return plan.error();
  return pool.start(id, plan.value(), output_files(folder), hard_limit(launch.time_limit));
}

std::string file_text(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

Status make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error{fmt::format("cannot make the folder {}: {}", folder.string(), error.message())};
  return Ok{};
}

Redirection output_files(const fs::path& folder) { return {folder / "stdout", folder / "stderr"}; }

Result<Played> read_execution(const fs::path& folder, const ChildPool::Ended& ended, const ScheduleLaunch& launch,
                              const OutputMatch& fail_on) {
  Result<std::vector<report::JvmRecords>> jvms = report::read_run(folder);
  if (!jvms) return jvms.error();
  Played played;
  report::Execution& run = played.execution;
  run.seed = launch.seed;
  run.order = launch.first;
  run.aim = launch.aim;
  run.lead = launch.lead;
  run.exit_status = ended.exit.status;
  run.signal = ended.killed ? 0 : ended.exit.signal;
  run.timed_out = ended.killed;
  played.jvms = jvms.value().size();
  for (const report::JvmRecords& jvm : jvms.value()) {
    append(run.records.meetings, jvm.schedule.meetings);
    append(run.records.uncaught, jvm.schedule.uncaught);
    append(run.records.deadlocks, jvm.schedule.deadlocks);
    append(run.records.asides, jvm.schedule.asides);
    run.under_control |= !jvm.gave_up;
    // Of several JVMs, the one with the anomaly; else the last.
    const bool created = run.records.followed && run.records.followed->result == "created";
    if (jvm.schedule.followed && !created) {
      run.records.followed = jvm.schedule.followed;
      run.records.steps = jvm.schedule.steps;
    }
  }
  if (const report::JvmRecords* jvm = principal(jvms.value())) {
    run.records.outcome = jvm->schedule.outcome;
    played.jvm = fmt::format("{} {}", jvm->vm, jvm->version);
    const fs::path decisions = folder / fmt::format("jvm-{}", jvm->pid) / "decisions";
    std::error_code error;
    if (fs::exists(decisions, error)) played.decisions = decisions;
  }
  const bool stopped_by_agent = run.records.outcome && run.records.outcome->timed_out();
  run.timed_out |= stopped_by_agent && ended.exit.status == kTimeLimitStatus;
  const Redirection files = output_files(folder);
  Result<OutputSummary> output = summarise_output({files.output, files.errors}, fail_on);
  if (!output) return output.error();
  run.output_hash = output.value().hash;
  run.output_head = std::move(output.value().head);
  run.matched = std::move(output.value().matched);
  return played;
}

}  // namespace deadheat::cli
