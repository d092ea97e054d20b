// SPDX-License-Identifier: Apache-2.0
#include "cli/launch_errors.h"

#include <fmt/format.h>

#include <deque>
#include <fstream>

namespace deadheat::cli {
namespace {

constexpr std::size_t kTailLines = 10;

}  // namespace

Error no_jvm(const std::vector<std::string>& command, const ChildExit& exit) {
  return Error{
      fmt::format("'{}' {}, and no JVM under deadheat was seen in it; check that it starts java and keeps "
                  "JAVA_TOOL_OPTIONS in the environment, or attach the agent by hand with java -agentpath "
                  "(docs/launching.md)",
                  command.front(), describe(exit))};
}

std::string last_lines(const std::filesystem::path& file) {
  std::deque<std::string> lines;
  std::ifstream input(file, std::ios::binary);
  for (std::string line; std::getline(input, line);) {
    lines.push_back(std::move(line));
    if (lines.size() > kTailLines) lines.pop_front();
  }
  std::string text;
  for (const std::string& line : lines) text += "    " + line + "\n";
  return text;
}

bool has_launcher_error(const std::filesystem::path& errors) {
  std::ifstream input(errors, std::ios::binary);
  for (std::string line; std::getline(input, line);) {
    if (line.starts_with("Error: ") || line.starts_with("no main manifest attribute")) return true;
  }
  return false;
}

}  // namespace deadheat::cli
