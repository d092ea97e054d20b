// SPDX-License-Identifier: Apache-2.0
#include "schedule/decision_log.h"

namespace deadheat::schedule {
namespace {

constexpr std::uint64_t key_of(Shape shape) {
  return std::uint64_t{model::to_number(shape.site)} << 8 | static_cast<std::uint8_t>(shape.kind);
}

}  // namespace

void DecisionLog::add_step(ThreadIndex thread, Shape shape) {
  const std::uint32_t index = to_number(thread);
  if (runs_.empty() || runs_.back().thread != index) runs_.push_back({index, 0});
  ++runs_.back().steps;
  ++steps_;
  std::uint32_t& known = shape_numbers_[key_of(shape)];
  if (known == 0) {
    shapes_.push_back(shape);
    known = static_cast<std::uint32_t>(shapes_.size());
  }
  std::uint32_t number = known - 1;
  for (; number >= 0x80; number >>= 7) shape_bytes_.push_back(static_cast<std::uint8_t>(number | 0x80));
  shape_bytes_.push_back(static_cast<std::uint8_t>(number));
}

Shape DecisionLog::Cursor::shape() const {
  std::uint32_t number = 0;
  std::size_t byte = byte_;
  for (int shift = 0;; shift += 7) {
    const std::uint8_t bits = log_->shape_bytes_[byte++];
    number |= std::uint32_t{bits & 0x7fu} << shift;
    if (bits < 0x80) return log_->shapes_[number];
  }
}

void DecisionLog::Cursor::advance() {
  while (log_->shape_bytes_[byte_++] >= 0x80) continue;
  ++step_;
  if (++in_run_ < log_->runs_[run_].steps) return;
  in_run_ = 0;
  ++run_;
}

}  // namespace deadheat::schedule
