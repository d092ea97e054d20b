// SPDX-License-Identifier: Apache-2.0
#include "predict/clock_pool.h"

#include <algorithm>

namespace deadheat::predict {

std::uint32_t ClockPool::allocate() {
  if (!free_.empty()) {
    const std::uint32_t row = free_.back();
    free_.pop_back();
    references_[row] = 1;
    return row;
  }
  const auto row = static_cast<std::uint32_t>(references_.size());
  references_.push_back(1);
  data_.resize(data_.size() + width_);
  return row;
}

void ThreadClocks::make_version(std::uint32_t thread) {
  const std::uint32_t row = pool_.allocate();
  std::copy_n(of(thread), pool_.width(), pool_.row(row));
  versions_[thread] = row;
}

void StampSet::publish(ThreadClocks& clocks, std::uint32_t thread) {
  std::erase_if(stamps_, [&](const Stamp& old) {
    if (!clocks.covers(thread, old.thread, old.event)) return false;
    clocks.drop(old);
    return true;
  });
  stamps_.push_back(clocks.stamp(thread));
}

void StampSet::clear(ThreadClocks& clocks) {
  for (const Stamp& stamp : stamps_) clocks.drop(stamp);
  stamps_.clear();
}

}  // namespace deadheat::predict
