// SPDX-License-Identifier: Apache-2.0
//
// How the agent gets into the JVMs below a command. docs/launching.md gives the reasons.
//
// A command that is itself a java launcher gets -agentpath as its first argument, so that the JVM does not print
// "Picked up JAVA_TOOL_OPTIONS" into the program's stderr; the JVMs it may fork are reached by the agent, which moves
// DEADHEAT_JAVA_TOOL_OPTIONS to JAVA_TOOL_OPTIONS when it is loaded. Any other command (a shell script, Maven, Gradle)
// gets JAVA_TOOL_OPTIONS at once. A value the user has set there is kept in front of ours.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/options.h"

namespace deadheat::cli {

// The agent's option text: key=value pairs with commas between, values percent-encoded where needed.
std::string agent_option_text(const std::filesystem::path& run_folder, const Options& options);

// Encodes the bytes that end a value, an option or a word: , = % ; quotes, space and control characters.
std::string percent_encoded(std::string_view value);

// The word as the JVM reads it back from JAVA_TOOL_OPTIONS, which it splits at white space outside quotes.
std::string quoted_for_java_tool_options(const std::string& word);

struct LaunchPlan {
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> environment;  // to be set on top of our own
};

// `java_tool_options` is the user's own value. Fails when the library's path cannot be written in a JVM option.
Result<LaunchPlan> plan_launch(const std::vector<std::string>& command, const std::filesystem::path& library,
                               const std::string& option_text, const std::optional<std::string>& java_tool_options);

// libdeadheat.so at ../lib from the running program, in the build tree and where it was installed.
Result<std::filesystem::path> find_agent_library();

}  // namespace deadheat::cli
