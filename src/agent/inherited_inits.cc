// SPDX-License-Identifier: Apache-2.0
#include "agent/inherited_inits.h"

namespace deadheat::agent {

std::uint64_t resolve_inherited_init(std::uint64_t& word, const ClassTable& classes) {
  std::atomic_ref<std::uint64_t> shared(word);
  std::uint64_t before = shared.load(std::memory_order_relaxed);
  if (before >> kInitShift != kInitInherits) return before;
  const ClassInfo* super = classes.super_of(classes.at(static_cast<std::uint32_t>(before)));
  while (super != nullptr && super->init == 0) super = super->super.empty() ? nullptr : classes.super_of(*super);
  const std::uint64_t after = super == nullptr ? 0 : init_word_of(kInitAlias, super->init);
  return shared.compare_exchange_strong(before, after, std::memory_order_relaxed) ? after : before;
}

}  // namespace deadheat::agent
