// SPDX-License-Identifier: Apache-2.0
#include "agent/pending_inits.h"

#include <algorithm>

#include "agent/shim_layout.h"
#include "engine/sync.h"

namespace deadheat::agent {

void PendingInits::add(const engine::ThreadState& ts, const std::uint64_t* init_word) {
  const Use use{ts.id, init_word};
  const std::lock_guard<std::mutex> lock(mutex_);
  if (std::find(uses_.begin(), uses_.end(), use) == uses_.end()) uses_.push_back(use);
  any_.store(true, std::memory_order_relaxed);
}

void PendingInits::settle(engine::ThreadState& ts) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(uses_, [&](const Use& use) {
    const std::uint64_t word = __atomic_load_n(use.init_word, __ATOMIC_ACQUIRE);  // written by the shim
    if (use.thread != ts.id || is_under_way(word)) return false;
    engine::acquire(ts, engine::SyncWord{word});
    return true;
  });
  any_.store(!uses_.empty(), std::memory_order_relaxed);
}

}  // namespace deadheat::agent
