// SPDX-License-Identifier: Apache-2.0
//
// Runs the user's command with our standard streams and waits for it. Call on the main thread of a program that has no
// other thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/agent_command.h"

namespace deadheat::cli {

struct ChildExit {
  int status = 0;  // what a shell would report: 128+n for signal n
  int signal = 0;  // 0: ended by itself
};

// "exited with status 1", "was killed by signal 9 (Killed)".
std::string describe(const ChildExit& exit);

// Starts the command and waits. While it runs, SIGINT, SIGTERM, SIGHUP and SIGQUIT sent to us by another process go on
// to it; those of the terminal reach it anyway. Fails when the command cannot be started.
Result<ChildExit> run_child(const LaunchPlan& plan);

// Whether a process of this id lives, ours or not.
bool process_is_running(std::int64_t pid);

}  // namespace deadheat::cli
