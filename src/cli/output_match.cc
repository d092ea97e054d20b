// SPDX-License-Identifier: Apache-2.0
#include "cli/output_match.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "base/fnv.h"

namespace deadheat::cli {
namespace {

// Of an execution's output, kept for all executions of a session: where small programs differ is in it.
constexpr std::size_t kMostOfHead = 16 << 10;

// These name the run's folder or a port, which is another one each time.
bool is_the_vms(std::string_view line) {
  return line.starts_with("deadheat: ") || line.starts_with("Picked up JAVA_TOOL_OPTIONS") ||
         line.starts_with("Listening for transport dt_");
}

}  // namespace

OutputMatch::OutputMatch() = default;
OutputMatch::~OutputMatch() = default;
OutputMatch::OutputMatch(OutputMatch&&) noexcept = default;
OutputMatch& OutputMatch::operator=(OutputMatch&&) noexcept = default;

Result<OutputMatch> OutputMatch::compile(const std::string& expression) {
  OutputMatch match;
  match.expression_ = std::make_unique<re2::RE2>(expression, re2::RE2::Quiet);
  if (!match.expression_->ok()) {
    return Error{fmt::format("'{}' is no regular expression: {}", expression, match.expression_->error())};
  }
  return match;
}

bool OutputMatch::fits(const std::string& line) const {
  return expression_ != nullptr && re2::RE2::PartialMatch(line, *expression_);
}

Result<OutputSummary> summarise_output(const std::vector<std::filesystem::path>& files, const OutputMatch& match) {
  OutputSummary summary;
  Fnv64 hash;
  bool head_ends = false;
  for (const std::filesystem::path& file : files) {
    std::ifstream input(file, std::ios::binary);
    if (!input) return Error{fmt::format("cannot read {}: {}", file.string(), std::strerror(errno))};
    std::string line;
    while (std::getline(input, line)) {
      if (is_the_vms(line)) continue;
      hash.add(line);
      hash.add("\n");
      head_ends |= summary.head.size() + line.size() >= kMostOfHead;
      if (!head_ends) summary.head += line + '\n';
      if (summary.matched.empty() && match.fits(line)) summary.matched = line;
    }
  }
  summary.hash = hash.value();
  return summary;
}

}  // namespace deadheat::cli
