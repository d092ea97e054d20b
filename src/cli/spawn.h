// SPDX-License-Identifier: Apache-2.0
//
// Starts a process. Call on the main thread of a program that has no other thread: the environment is set around the
// call.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <filesystem>
#include <optional>

#include "base/result.h"
#include "cli/agent_command.h"
#include "cli/child.h"

namespace deadheat::cli {

struct Redirection {
  std::filesystem::path output;
  std::filesystem::path errors;
};

// With `files` the process reads from /dev/null, writes to these files and leads a process group of its own; without,
// it has our streams. `mask` is its signal mask.
Result<pid_t> spawn(const LaunchPlan& plan, const sigset_t& mask, const std::optional<Redirection>& files = {});

// From what waitpid() says.
ChildExit exit_of(int status);

}  // namespace deadheat::cli
