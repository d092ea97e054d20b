// SPDX-License-Identifier: Apache-2.0
#include "cli/pursuit.h"

namespace deadheat::cli {

bool Pursuit::wants_try() const {
  if (tries_wanted_) return tries_.size() < *tries_wanted_;
  return !met_with_ && tries_.size() < most_;
}

std::optional<Attempt> Pursuit::next() const {
  if (orders_.empty() && wants_try()) return Attempt{tries_.size() + 1, "coin"};
  if (met_with_ && orders_.size() < 2) return Attempt{*met_with_, orders_.empty() ? "1" : "2"};
  return std::nullopt;
}

void Pursuit::took(report::Execution execution) {
  if (execution.order != "coin") {
    orders_.push_back(std::move(execution));
    return;
  }
  if (!met_with_ && !execution.records.meetings.empty()) met_with_ = execution.seed;
  tries_.push_back(std::move(execution));
}

std::optional<std::pair<report::Execution, report::Execution>> Pursuit::orders() const {
  if (orders_.size() < 2) return std::nullopt;
  return std::pair(orders_[0], orders_[1]);
}

}  // namespace deadheat::cli
