// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with a trace, and where. Findings about the input, kept as data: a reader never stops at the first, and
// never keeps more than a user reads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace deadheat::trace {

struct Problem {
  std::uint64_t line = 0;    // of a text; the number of the event in a binary trace; from 1; 0: the file as a whole
  std::uint32_t column = 0;  // in bytes, from 1; 0: the line as a whole
  std::string message;       // what is wrong and what was expected
};

class Problems {
 public:
  explicit Problems(std::size_t most_kept = 20) : most_kept_(most_kept) {}

  void add(std::uint64_t line, std::uint32_t column, std::string message) {
    if (count_++ < most_kept_) kept_.push_back({line, column, std::move(message)});
  }
  bool none() const { return count_ == 0; }
  std::uint64_t count() const { return count_; }
  // The first ones.
  const std::vector<Problem>& kept() const { return kept_; }
  bool wants_more() const { return count_ < most_kept_; }

 private:
  std::size_t most_kept_;
  std::uint64_t count_ = 0;
  std::vector<Problem> kept_;
};

}  // namespace deadheat::trace
