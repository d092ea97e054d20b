// SPDX-License-Identifier: Apache-2.0
//
// What is said when a command did not do what every verb needs.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/child.h"

namespace deadheat::cli {

// The command ended, and no JVM with the agent was in it.
Error no_jvm(const std::vector<std::string>& command, const ChildExit& exit);

}  // namespace deadheat::cli
