// SPDX-License-Identifier: Apache-2.0
//
// The output of a program as evidence: a hash to tell two outputs apart, its beginning to show where, and the first
// line that --fail-on fits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace deadheat::cli {

// RE2 takes time linear in its input, whatever the expression.
class OutputMatch {
 public:
  OutputMatch();  // fits nothing
  ~OutputMatch();
  OutputMatch(OutputMatch&&) noexcept;
  OutputMatch& operator=(OutputMatch&&) noexcept;

  static Result<OutputMatch> compile(const std::string& expression);
  bool fits(const std::string& line) const;

 private:
  std::unique_ptr<re2::RE2> expression_;
};

struct OutputSummary {
  std::uint64_t hash = 0;
  std::string head;     // its first lines, as many as there is room for
  std::string matched;  // empty: no line fits
};

// Over the files in this order. What deadheat itself, the JVM's option handling and its
// debugger's port print is left out.
Result<OutputSummary> summarise_output(const std::vector<std::filesystem::path>& files, const OutputMatch& match);

}  // namespace deadheat::cli
