// SPDX-License-Identifier: Apache-2.0
#include "cli/replay_stage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <span>
#include <utility>

#include "cli/launch_errors.h"
#include "cli/run_place.h"
#include "schedule/decision_log_file.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

Status write_bytes(std::span<const std::uint8_t> bytes, const fs::path& file) {
  std::ofstream output(file, std::ios::binary);
  output.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  output.close();
  if (!output) return Error{fmt::format("cannot write {}: {}", file.string(), std::strerror(errno))};
  return Ok{};
}

}  // namespace

Result<ReplayStage> set_stage(const Options& options) {
  Result<Clip> clip = read_clip(options.clip);
  if (!clip) return clip.error();
  ReplayStage stage;
  stage.clip = std::move(clip).value();
  stage.log = schedule::decode_decision_log(stage.clip.decisions).value();
  stage.command = options.command.empty() ? stage.clip.command : options.command;
  stage.time_limit = options.time_limit;
  if (stage.command.empty()) return Error{"the clip names no command; give it after '--'"};
  Options recorded = options;
  recorded.command = stage.command;
  Result<RunPlace> place = begin_run(recorded);
  if (!place) return place.error();
  stage.folder = place.value().run.path;
  return stage;
}

Result<ScheduleLaunch> replay_launch(const ReplayStage& stage, const std::vector<std::uint8_t>& decisions,
                                     const fs::path& folder) {
  ScheduleLaunch launch;
  launch.strategy = "replay";
  launch.seed = stage.clip.seed;
  launch.sites = stage.clip.sites;
  launch.clock = stage.clip.clock;
  launch.agents_apart = stage.clip.agents_apart;
  launch.time_limit = stage.time_limit;
  launch.trace = stage.clip.every_access;
  launch.include = stage.clip.include;
  launch.exclude = stage.clip.exclude;
  launch.replay = folder / "decisions";
  if (Status written = write_bytes(decisions, launch.replay); !written) return written.error();
  // Beside it, so that the agent can name the places of the clip.
  const std::string& sites = stage.clip.site_list;
  const fs::path list = launch.replay.string() + ".sites";
  const Status written = write_bytes({reinterpret_cast<const std::uint8_t*>(sites.data()), sites.size()}, list);
  if (!written) return written.error();
  return launch;
}

Result<std::optional<Played>> play(const ReplayStage& stage, const ScheduleLaunch& launch, const fs::path& folder,
                                   ChildPool& pool) {
  Status started = start_controlled(pool, 0, stage.command, folder, launch);
  if (!started) return started.error();
  const std::optional<ChildPool::Ended> ended = pool.wait();
  if (!ended) return std::optional<Played>();
  Result<Played> played = read_execution(folder, *ended, launch, OutputMatch());
  if (!played) return played.error();
  if (played.value().jvms == 0) return no_jvm(stage.command, ended->exit);
  return std::optional<Played>(std::move(played).value());
}

std::vector<std::string> changes_of_outcome(const Clip& clip, const report::Execution& run) {
  std::vector<std::string> lines;
  if (run.exit_status != clip.exit_status) {
    lines.push_back(fmt::format("exit status {}, in the clip {}", run.exit_status, clip.exit_status));
  }
  std::vector<std::string> exceptions;
  for (const report::Uncaught& uncaught : run.records.uncaught) exceptions.push_back(uncaught.exception);
  if (exceptions != clip.exceptions) {
    lines.push_back(fmt::format("uncaught exceptions [{}], in the clip [{}]", fmt::join(exceptions, ", "),
                                fmt::join(clip.exceptions, ", ")));
  }
  if (run.output_hash != clip.output_hash) lines.emplace_back("the output differs from the clip's");
  return lines;
}

}  // namespace deadheat::cli
