// SPDX-License-Identifier: Apache-2.0
#include "agent/histories.h"

#include <bit>

namespace deadheat::agent {

Histories::Histories(std::uint32_t entries, std::size_t most_bytes)
    : entries_(entries == 0 ? 0 : std::max(std::bit_ceil(entries), ThreadHistory::kFirstSize)),
      most_bytes_(most_bytes) {}

ThreadHistory* Histories::begin(model::ThreadId thread) {
  if (!enabled()) return nullptr;
  auto made = std::make_shared<ThreadHistory>(entries_);
  ThreadHistory* history = made.get();
  const std::lock_guard<std::mutex> lock(mutex_);
  bytes_ += history->bytes();
  histories_[model::to_number(thread)] = std::move(made);
  drop_oldest();
  return history;
}

void Histories::end(model::ThreadId thread) {
  const std::shared_ptr<ThreadHistory> history = of(thread);
  if (history == nullptr) return;
  const std::size_t before = history->bytes();
  history->close();
  const std::lock_guard<std::mutex> lock(mutex_);
  bytes_ -= before - history->bytes();
  ended_.push_back(model::to_number(thread));
  drop_oldest();
}

void Histories::drop_oldest() {
  while (bytes_ > most_bytes_ && !ended_.empty()) {
    const auto oldest = histories_.find(ended_.front());
    bytes_ -= oldest->second->bytes();
    histories_.erase(oldest);
    ended_.pop_front();
  }
}

void Histories::make_room(ThreadHistory& history) {
  bool may_grow = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    may_grow = bytes_ < most_bytes_ || !ended_.empty();
  }
  const std::size_t grown = history.make_room(may_grow);
  if (grown == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  bytes_ += grown;
  drop_oldest();
}

std::shared_ptr<ThreadHistory> Histories::of(model::ThreadId thread) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = histories_.find(model::to_number(thread));
  return found == histories_.end() ? nullptr : found->second;
}

std::vector<std::uint64_t> Histories::held(model::ThreadId thread) const {
  const std::shared_ptr<ThreadHistory> history = of(thread);
  return history == nullptr ? std::vector<std::uint64_t>{} : history->held();
}

Lookup Histories::find(model::ThreadId thread, std::uint64_t word, PastAccess& found) const {
  const std::shared_ptr<ThreadHistory> history = of(thread);
  if (history == nullptr) return Lookup::kUnknown;
  if (auto access = history->find(word)) {
    found = std::move(*access);
    return Lookup::kFound;
  }
  return history->overwritten() ? Lookup::kOverwritten : Lookup::kUnknown;
}

}  // namespace deadheat::agent
