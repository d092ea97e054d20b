// SPDX-License-Identifier: Apache-2.0
#include "engine/frozen.h"

#include <algorithm>

#include "engine/engine_parts.h"

namespace deadheat::engine {

void FrozenClock::join(ClockView clock) {
  if (columns_.size() < clock.width) columns_.resize(clock.width);
  for (std::uint32_t i = 1; i < clock.width; ++i) columns_[i] = std::max(columns_[i], clock.columns[i]);
}

void on_frozen_read(ThreadState& ts, SyncWord freeze) {
  const Epoch epoch = epoch_of(freeze);
  if (ts.is_ordered(epoch)) return;
  if (ts.frozen == nullptr) ts.frozen = std::make_unique<FrozenClock>();
  if (ts.frozen->covers(make_word(epoch, model::SiteId{}))) return;  // closed, as every clock handed out is
  bool approximate = false;
  const std::uint32_t width =
      ts.parts->threads.slot(slot_of(epoch)).state_at(clock_of(epoch), ts.slot->scratch(), approximate);
  if (approximate) ts.counts.add(Rule::kApproximateAcquire);
  ts.frozen->join({ts.slot->scratch(), width});
}

}  // namespace deadheat::engine
