// SPDX-License-Identifier: Apache-2.0
//
// What is said when a command did not do what every verb needs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/child.h"

namespace deadheat::cli {

// The command ended, and no JVM with the agent was in it.
Error no_jvm(const std::vector<std::string>& command, const ChildExit& exit);

// The end of what a program said, for people: some lines, each indented and with its newline. Empty: nothing.
std::string last_lines(const std::filesystem::path& file);

// Whether this is what the java launcher says when it has found no program to start.
bool has_launcher_error(const std::filesystem::path& errors);

}  // namespace deadheat::cli
