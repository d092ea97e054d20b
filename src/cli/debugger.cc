// SPDX-License-Identifier: Apache-2.0
#include "cli/debugger.h"

#include <algorithm>
#include <fstream>
#include <string_view>

namespace deadheat::cli {
namespace {

// Port 0: whichever is free, told on stdout.
constexpr std::string_view kJdwp = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";
constexpr std::string_view kListening = "Listening for transport dt_socket at address: ";

bool has_debug_option(std::string_view text) {
  return text.find("-agentlib:jdwp") != std::string_view::npos || text.find("-Xrunjdwp") != std::string_view::npos;
}

}  // namespace

void add_debug_port(LaunchPlan& plan) {
  if (std::any_of(plan.command.begin(), plan.command.end(), has_debug_option)) return;
  if (std::filesystem::path(plan.command.front()).filename() == "java") {
    plan.command.insert(plan.command.begin() + 1, std::string(kJdwp));
    return;
  }
  for (auto& [name, value] : plan.environment) {
    if (name == "JAVA_TOOL_OPTIONS" && !has_debug_option(value)) value += " " + std::string(kJdwp);
  }
}

std::optional<std::string> debug_port(const std::filesystem::path& output) {
  std::ifstream input(output);
  std::optional<std::string> port;
  for (std::string line; std::getline(input, line);) {
    if (!line.starts_with(kListening)) continue;
    if (port) return std::nullopt;
    port = line.substr(kListening.size());
  }
  return port;
}

}  // namespace deadheat::cli
