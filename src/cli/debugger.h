// SPDX-License-Identifier: Apache-2.0
//
// A port for a debugger in the JVMs of a command (JDWP).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/agent_command.h"

namespace deadheat::cli {

// Gives the JVM of the command a free port of this machine to attach to, unless the user's own options have one.
void add_debug_port(LaunchPlan& plan);

// The port that a JVM has named in its output; nothing when there is none, or more than one.
std::optional<std::string> debug_port(const std::filesystem::path& output);

}  // namespace deadheat::cli
