// SPDX-License-Identifier: Apache-2.0
#include "cli/hunt_session.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "cli/agent_command.h"
#include "cli/schedule_launch.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlain = "plain";

std::string file_text(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

}  // namespace

fs::path HuntSession::folder_of(const HuntJob& job) const {
  return run_folder_ / "hunt" / (job.strategy.empty() ? "relations" : fmt::format("{}-{}", job.strategy, job.seed));
}

Status HuntSession::start(std::size_t id, const HuntJob& job) {
  const fs::path folder = folder_of(job);
  if (Status made = make_folder(folder); !made) return made;
  const std::chrono::seconds limit(options_.run_limit);
  if (job.strategy == kPlain) return pool_.start(id, {options_.command, {}}, output_files(folder), limit);

  std::string text = agent_option_text(folder, options_);
  if (job.strategy.empty()) text += ",engine=relations";
  if (!job.strategy.empty() && job.strategy != "native") {
    text += fmt::format(",hunt={},seed={},hold_limit={}", job.strategy, job.seed, options_.hold_limit);
  }
  text += fmt::format(",hunt_depth={}", options_.depth);
  if (job.strategy == "drfinder") {
    Result<std::string> relations = database_.relations();
    if (!relations) return relations.error();
    const fs::path file = folder / "relations";
    std::ofstream output(file, std::ios::binary);
    output << relations.value();
    output.close();
    if (!output) return Error{fmt::format("cannot write {}", file.string())};
    text += ",relations=" + percent_encoded(file.string());
  }
  Result<LaunchPlan> plan = plan_with_agent(options_.command, text);
  if (!plan) return plan.error();
  return pool_.start(id, plan.value(), output_files(folder), limit);
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
    if (!job.strategy.empty() && job.strategy != "drfinder") continue;
    Result<std::uint64_t> learnt =
        database_.add_relations(run_, file_text(folder / fmt::format("jvm-{}", jvm.pid) / "relations"));
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
