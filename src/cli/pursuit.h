// SPDX-License-Identifier: Apache-2.0
//
// The executions made for one suspected race: seed after seed until the race is real (or as many as the user wants),
// then both orders with the seed of the first meeting. Pure: says what comes next and is told what came of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/verdict.h"

namespace deadheat::cli {

struct Attempt {
  std::uint64_t seed = 1;
  std::string first = "coin";  // who goes first: coin, 1, 2
  bool operator==(const Attempt&) const = default;
};

class Pursuit {
 public:
  // Without a number of tries: until real, at most `most`.
  Pursuit(std::optional<std::uint32_t> tries, std::uint32_t most) : tries_wanted_(tries), most_(most) {}

  // Nothing: done.
  std::optional<Attempt> next() const;
  void took(report::Execution execution);

  const std::vector<report::Execution>& tries() const { return tries_; }
  // Once both were made.
  std::optional<std::pair<report::Execution, report::Execution>> orders() const;

 private:
  bool wants_try() const;

  const std::optional<std::uint32_t> tries_wanted_;
  const std::uint32_t most_;
  std::vector<report::Execution> tries_;
  std::vector<report::Execution> orders_;
  std::optional<std::uint64_t> met_with_;  // the first seed with a meeting
};

}  // namespace deadheat::cli
