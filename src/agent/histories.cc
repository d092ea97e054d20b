// SPDX-License-Identifier: Apache-2.0
#include "agent/histories.h"

namespace deadheat::agent {

ThreadHistory* Histories::begin(model::ThreadId thread) {
  auto made = std::make_unique<ThreadHistory>();
  ThreadHistory* history = made.get();
  const std::lock_guard<std::mutex> lock(mutex_);
  histories_[model::to_number(thread)] = std::move(made);
  return history;
}

void Histories::end(model::ThreadId thread) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = histories_.find(model::to_number(thread));
  if (found == histories_.end()) return;
  not_kept_by_ended_ += found->second->not_kept();
  histories_.erase(found);
}

std::uint64_t Histories::ways_not_kept() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::uint64_t sum = not_kept_by_ended_;
  for (const auto& [thread, history] : histories_) sum += history->not_kept();
  return sum;
}

std::vector<std::uint64_t> Histories::held(model::ThreadId thread) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = histories_.find(model::to_number(thread));
  return found == histories_.end() ? std::vector<std::uint64_t>{} : found->second->held();
}

}  // namespace deadheat::agent
