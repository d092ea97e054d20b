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
  histories_.erase(model::to_number(thread));
}

std::vector<std::uint64_t> Histories::held(model::ThreadId thread) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = histories_.find(model::to_number(thread));
  return found == histories_.end() ? std::vector<std::uint64_t>{} : found->second->held();
}

}  // namespace deadheat::agent
