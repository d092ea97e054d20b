// SPDX-License-Identifier: Apache-2.0
//
// Starts a process.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <filesystem>
#include <optional>

#include "base/result.h"
#include "cli/agent_command.h"
#include "cli/child.h"
#include "cli/guardian.h"

namespace deadheat::cli {

struct Redirection {
  std::filesystem::path output;
  std::filesystem::path errors;
};

// With `files` the process reads from /dev/null, writes to these files and leads a process group of its own; without,
// it has our streams. `mask` is its signal mask. It ends with us at the latest when the guardian is still there then.
Result<pid_t> spawn(const LaunchPlan& plan, const sigset_t& mask, const Guardian& guardian,
                    const std::optional<Redirection>& files = {});

// From what waitpid() says.
ChildExit exit_of(int status);

}  // namespace deadheat::cli
