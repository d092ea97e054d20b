// SPDX-License-Identifier: Apache-2.0
#include "cli/hunt_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "cli/agent_command.h"
#include "cli/schedule_launch.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlain = "plain";

// Those of the controlled scheduler: one thread runs at a time.
bool is_controlled(const std::string& strategy) {
  return strategy == "random" || strategy == "pct" || strategy == "pos";
}

}  // namespace

std::string HuntJob::label() const { return depth == 0 ? strategy : fmt::format("{}, depth {}", strategy, depth); }

fs::path HuntSession::folder_of(const HuntJob& job) const {
  std::string name = job.strategy.empty() ? "relations" : job.strategy;
  if (job.depth != 0) name += fmt::format("-depth-{}", job.depth);
  if (!job.strategy.empty()) name += fmt::format("-{}", job.seed);
  return run_folder_ / "hunt" / name;
}

Result<std::string> HuntSession::relations_for(const HuntJob& job) const {
  if (job.depth == 0) return database_.relations();
  const auto known = by_depth_.find(job.depth);
  return known == by_depth_.end() ? std::string() : known->second.text();
}

Result<std::uint64_t> HuntSession::keep_relations(const HuntJob& job, const std::string& text) {
  if (job.depth == 0) return database_.add_relations(run_, text);
  schedule::MayTrigger& known = by_depth_.try_emplace(job.depth, job.depth).first->second;
  const std::size_t before = known.size();
  known.read(text);
  return std::uint64_t{known.size() - before};
}

Status HuntSession::start(std::size_t id, const HuntJob& job) {
  const fs::path folder = folder_of(job);
  if (Status made = make_folder(folder); !made) return made;
  const bool controlled = is_controlled(job.strategy);
  const std::chrono::seconds limit =
      controlled ? hard_limit(options_.run_limit) : std::chrono::seconds(options_.run_limit);
  if (job.strategy == kPlain) return pool_.start(id, {options_.command, {}}, output_files(folder), limit);

  Result<std::string> how = strategy_text(job);
  if (!how) return how.error();
  Result<LaunchPlan> plan = plan_with_agent(options_.command, agent_option_text(folder, options_) + how.value());
  if (!plan) return plan.error();
  return pool_.start(id, plan.value(), output_files(folder), limit);
}

Result<std::string> HuntSession::strategy_text(const HuntJob& job) const {
  if (job.strategy == "native") return std::string();
  if (job.strategy.empty()) return fmt::format(",engine=relations,hunt_depth={}", depth_of(job));
  if (is_controlled(job.strategy)) {
    std::string text = fmt::format(",engine=schedule,detect=on,strategy={},seed={},time_limit={}", job.strategy,
                                   job.seed, options_.run_limit);
    if (most_steps_ > 0) text += fmt::format(",expected_steps={}", most_steps_);
    return text;
  }
  std::string text = fmt::format(",hunt={},seed={},hold_limit={},hunt_depth={}", job.strategy, job.seed,
                                 options_.hold_limit, depth_of(job));
  if (job.strategy != "drfinder") return text;
  Result<std::string> relations = relations_for(job);
  if (!relations) return relations.error();
  const fs::path file = folder_of(job) / "relations";
  std::ofstream output(file, std::ios::binary);
  output << relations.value();
  output.close();
  if (!output) return Error{fmt::format("cannot write {}", file.string())};
  return text + ",relations=" + percent_encoded(file.string());
}

Result<HuntedExecution> HuntSession::collect(const HuntJob& job, const ChildPool::Ended& ended,
                                             Clock::time_point begun) {
  HuntedExecution done;
  done.job = job;
  done.exit = ended.exit;
  done.timed_out = ended.killed;
  done.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  if (job.strategy == kPlain) return done;
  const fs::path folder = folder_of(job);
  Result<std::vector<report::JvmRecords>> jvms = report::read_run(folder);
  if (!jvms) return jvms.error();
  done.jvms = std::move(jvms).value();
  done.races = report::merge_races(done.jvms);
  for (const report::JvmRecords& jvm : done.jvms) {
    if (jvm.hunt) done.outcome.add(*jvm.hunt);
    if (const auto& schedule = jvm.schedule.outcome) {
      most_steps_ = std::max(most_steps_, schedule->steps - std::min(schedule->clock_steps, schedule->steps));
      done.timed_out |= schedule->timed_out();  // the agent ended the process itself
    }
    if (!job.strategy.empty() && job.strategy != "drfinder") continue;
    Result<std::uint64_t> learnt =
        keep_relations(job, file_text(folder / fmt::format("jvm-{}", jvm.pid) / "relations"));
    if (!learnt) return learnt.error();
    done.learnt += learnt.value();
  }
  for (report::Race& race : done.races) {
    if (!race.exposure) race.exposure = report::Exposure{job.strategy, job.seed, {}};
  }
  return done;
}

Status HuntSession::run(const std::vector<HuntJob>& jobs, std::uint32_t side_by_side, const Told& told) {
  std::vector<Clock::time_point> begun(jobs.size());
  std::size_t next = 0;
  while (!pool_.interrupted()) {
    for (; next < jobs.size() && pool_.running() < side_by_side; ++next) {
      begun[next] = Clock::now();
      if (Status started = start(next, jobs[next]); !started) return started;
    }
    const std::optional<ChildPool::Ended> ended = pool_.wait();
    if (!ended) break;
    Result<HuntedExecution> done = collect(jobs[ended->id], *ended, begun[ended->id]);
    if (!done) return done.error();
    if (Status taken = told(done.value()); !taken) return taken;
  }
  return Ok{};
}

}  // namespace deadheat::cli
