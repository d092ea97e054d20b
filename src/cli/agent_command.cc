// SPDX-License-Identifier: Apache-2.0
#include "cli/agent_command.h"

#include <fmt/format.h>

#include <system_error>

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWhiteSpace = " \t\n\v\f\r";

std::string encoded_list(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) {
    if (!text.empty()) text += ';';
    text += percent_encoded(value);
  }
  return text;
}

}  // namespace

std::string percent_encoded(std::string_view value) {
  static constexpr std::string_view kSpecial = ",=%;\"'";
  std::string text;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    const bool special = byte <= 0x20 || byte == 0x7f || kSpecial.find(c) != std::string_view::npos;
    if (special) {
      text += fmt::format("%{:02X}", byte);
    } else {
      text += c;
    }
  }
  return text;
}

std::string agent_option_text(const fs::path& run_folder, const Options& options) {
  std::string text = "dir=" + percent_encoded(run_folder.string());
  if (!options.include.empty()) text += ",include=" + encoded_list(options.include);
  if (!options.exclude.empty()) text += ",exclude=" + encoded_list(options.exclude);
  if (options.detector == DetectorKind::kHybrid) text += ",engine=hybrid";
  if (options.detector == DetectorKind::kLockset) text += ",engine=lockset";
  if (options.history != Options().history) text += ",history=" + std::to_string(options.history);
  if (options.allocations) text += ",allocations=on";
  if (!options.fast_path) text += ",fast_path=off";
  if (options.halt_on_error) text += ",halt_on_error=on";
  return text;
}

std::string quoted_for_java_tool_options(const std::string& word) {
  if (word.find_first_of(kWhiteSpace) == std::string::npos && word.find_first_of("\"'") == std::string::npos)
    return word;
  // HotSpot knows no escapes: a quote character is written inside quotes of the other kind.
  std::string text;
  char open = 0;
  for (const char c : word) {
    const char wanted = c == '"' ? '\'' : c == '\'' ? '"' : (open != 0 ? open : '"');
    if (wanted != open) {
      if (open != 0) text += open;
      text += open = wanted;
    }
    text += c;
  }
  return text + open;
}

Result<LaunchPlan> plan_launch(const std::vector<std::string>& command, const fs::path& library,
                               const std::string& option_text, const std::optional<std::string>& java_tool_options) {
  if (library.string().find('=') != std::string::npos) {
    return Error{
        fmt::format("the JVM cannot load an agent from a path with '=' in it ({}); move deadheat to another folder",
                    library.string())};
  }
  const std::string agent = fmt::format("-agentpath:{}={}", library.string(), option_text);
  std::string variable = java_tool_options.value_or("");
  if (!variable.empty()) variable += ' ';
  variable += quoted_for_java_tool_options(agent);

  LaunchPlan plan{command, {}};
  if (fs::path(command.front()).filename() == "java") {
    plan.command.insert(plan.command.begin() + 1, agent);
    plan.environment.emplace_back("DEADHEAT_JAVA_TOOL_OPTIONS", variable);
  } else {
    plan.environment.emplace_back("JAVA_TOOL_OPTIONS", variable);
  }
  return plan;
}

Result<fs::path> find_agent_library() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return Error{"cannot find the agent: /proc is not mounted"};
  const fs::path library = program.parent_path().parent_path() / "lib" / "libdeadheat.so";
  if (!fs::exists(library, error)) {
    return Error{fmt::format("cannot find the agent {}; build it with 'make' or install it with 'make install'",
                             library.string())};
  }
  return library;
}

}  // namespace deadheat::cli
