// SPDX-License-Identifier: Apache-2.0
#include "agent/class_uses.h"

#include <cstddef>
#include <utility>

#include "agent/inherited_inits.h"

namespace deadheat::agent {

using schedule::ThreadIndex;

void ClassUses::on_begin(KnownClasses& known, ThreadIndex self, std::uint32_t init, std::vector<std::uint32_t>& after) {
  use_super(known, self, init, after);
  known.inits.erase(init);
  const std::lock_guard<std::mutex> lock(mutex_);
  states_[init] = {self, false};
}

void ClassUses::on_end(std::uint32_t init) {
  const std::lock_guard<std::mutex> lock(mutex_);
  states_[init].ended = true;
}

void ClassUses::use(KnownClasses& known, ThreadIndex self, std::uint32_t init, std::vector<std::uint32_t>& after) {
  if (known.inits.contains(init)) return;
  std::unique_lock<std::mutex> lock(mutex_);
  const auto found = states_.find(init);
  if (found == states_.end()) {  // it has none, or the JVM initialises it on this thread, or has long before us
    lock.unlock();
    use_super(known, self, init, after);
    return;
  }
  if (found->second.by == self) {
    if (found->second.ended) known.inits.insert(init);
  } else if (found->second.ended) {
    known.inits.insert(init);
    after.push_back(init);
  } else {
    known.pending.push_back(init);
  }
}

void ClassUses::use_super(KnownClasses& known, ThreadIndex self, std::uint32_t init,
                          std::vector<std::uint32_t>& after) {
  std::uint64_t& word = words_.init_words()[init];
  if (!inherits_init(word)) return;
  const auto super = static_cast<std::uint32_t>(resolve_inherited_init(word, classes_));
  if (super != 0) use(known, self, super, after);
  if (super == 0 || known.inits.contains(super)) known.inits.insert(init);
}

void ClassUses::use(KnownClasses& known, ThreadIndex self, const FieldUse& field, std::vector<std::uint32_t>& after) {
  if (known.uses.contains(&field) || field.where.load(std::memory_order_acquire) == 0) return;
  const StaticRecord* record = field.record.load(std::memory_order_acquire);
  const std::ptrdiff_t init = record == nullptr ? 0 : record->init - words_.init_words();
  if (init != 0) use(known, self, static_cast<std::uint32_t>(init), after);
  if (init == 0 || known.inits.contains(static_cast<std::uint32_t>(init))) known.uses.insert(&field);
}

void ClassUses::settle(KnownClasses& known, ThreadIndex self, std::vector<std::uint32_t>& after) {
  for (const std::uint32_t init : std::exchange(known.pending, {})) use(known, self, init, after);
}

}  // namespace deadheat::agent
