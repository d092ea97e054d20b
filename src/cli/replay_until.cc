// SPDX-License-Identifier: Apache-2.0
//
// `deadheat replay --until race`: the replay stops where the two threads meet, and waits for a debugger.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "cli/confirm_session.h"
#include "cli/debugger.h"
#include "cli/launch_errors.h"
#include "cli/replay_stage.h"
#include "cli/verbs.h"
#include "report/records.h"
#include "report/source_lines.h"
#include "report/verdict_text.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

// However long the user looks at it.
constexpr std::chrono::seconds kNoLimit = std::chrono::hours(24 * 365);

struct Held {
  std::int64_t pid = 0;
  report::Meeting meeting;
};

Result<std::optional<Held>> find_held(const fs::path& folder) {
  Result<std::vector<report::JvmRecords>> jvms = report::read_run(folder);
  if (!jvms) return jvms.error();
  for (const report::JvmRecords& jvm : jvms.value()) {
    if (jvm.schedule.held && !jvm.schedule.meetings.empty()) {
      return std::optional<Held>(Held{jvm.pid, jvm.schedule.meetings.front()});
    }
  }
  return std::optional<Held>();
}

void tell_held(const Held& held, const fs::path& folder, const Options& options) {
  std::vector<fs::path> roots = options.source_paths;
  roots.emplace_back(".");
  report::SourceLines sources(std::move(roots));
  fmt::print(stderr, "deadheat: both threads stand at the race now, in process {}:\n\n", held.pid);
  std::fputs(report::meeting_text(held.meeting, sources).c_str(), stderr);
  if (const auto port = debug_port(output_files(folder).output)) {
    fmt::print(stderr, "deadheat: to attach a debugger: jdb -attach 127.0.0.1:{}   (then: suspend, where all)\n",
               *port);
  } else {
    fmt::print(stderr,
               "deadheat: to attach a debugger: jdb -connect com.sun.jdi.ProcessAttachingConnector:pid={}   (then: "
               "suspend, where all)\n",
               held.pid);
  }
  fmt::print(stderr, "deadheat: press Enter to let them go on\n");
}

// Whether the user has pressed Enter. An input that has ended says nothing, for good.
class EnterKey {
 public:
  bool pressed() {
    while (open_) {
      pollfd input{STDIN_FILENO, POLLIN, 0};
      if (poll(&input, 1, 0) <= 0) return false;
      char c = 0;
      open_ = read(STDIN_FILENO, &c, 1) == 1;
      if (open_ && c == '\n') return true;
    }
    return false;
  }

 private:
  bool open_ = true;
};

}  // namespace

Result<int> replay_until_race(const ReplayStage& stage, const Options& options) {
  const fs::path& folder = stage.folder;
  Result<ScheduleLaunch> launch = replay_launch(stage, stage.clip.decisions, folder);
  if (!launch) return launch.error();
  launch.value().until_race = true;
  Result<LaunchPlan> plan = plan_with_agent(stage.command, schedule_option_text(folder, launch.value()));
  if (!plan) return plan.error();
  add_debug_port(plan.value());

  ChildPool pool;
  if (Status started = pool.start(0, plan.value(), output_files(folder), kNoLimit); !started) return started.error();
  std::optional<ChildPool::Ended> ended;
  std::optional<Held> held;
  EnterKey enter;
  bool let_go = false;
  while (!(ended = pool.wait_briefly()) && !pool.interrupted()) {
    if (!held) {
      Result<std::optional<Held>> found = find_held(folder);
      if (!found) return found.error();
      held = std::move(found).value();
      if (held) tell_held(*held, folder, options);
    }
    if (held && !let_go && enter.pressed()) {
      const std::ofstream go(folder / fmt::format("jvm-{}", held->pid) / "go");
      let_go = true;
    }
  }
  copy_to(stdout, output_files(folder).output);
  copy_to(stderr, output_files(folder).errors);
  if (!ended) return kExitSignal + pool.interrupting_signal();
  Result<Played> played = read_execution(folder, *ended, launch.value(), OutputMatch());
  if (!played) return played.error();
  if (played.value().jvms == 0) return no_jvm(stage.command, ended->exit);
  if (held) {
    fmt::print(stderr, "deadheat: the program has ended\n");
    return ended->exit.status;
  }
  const auto& outcome = played.value().execution.records.outcome;
  const std::string where =
      outcome && !outcome->diverged.empty() ? ": it went another way at " + outcome->diverged : "";
  fmt::print(
      stderr,
      "deadheat: the replay did not come to the race{}\n"
      "deadheat: a debugger changes what the JDK has loaded and how its tables lie, and with it the steps of some "
      "programs; the same without --until says whether the clip itself plays\n",
      where);
  return kExitFailed;
}

}  // namespace deadheat::cli
