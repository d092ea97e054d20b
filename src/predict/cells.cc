// SPDX-License-Identifier: Apache-2.0
#include "predict/cells.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace deadheat::predict {

void CellHistory::finish(std::uint64_t objects) {
  begin_.assign(objects + 1, 0);
  for (const Change& change : changes_) ++begin_[change.object + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::uint32_t> next = begin_;
  entries_.resize(changes_.size());
  for (const Change& change : changes_) entries_[next[change.object]++] = change.entry;
  changes_ = {};
}

std::uint32_t CellHistory::value(std::uint64_t object, EventNumber count) const {
  const auto first = entries_.begin() + begin_[object];
  const auto behind = std::partition_point(first, entries_.begin() + begin_[object + 1],
                                           [count](const Entry& entry) { return entry.event <= count; });
  return behind == first ? 0 : (behind - 1)->value;
}

void Cells::change(std::uint64_t object, std::uint32_t value) {
  if (used_ * 2 >= slots_.size()) grow();
  std::size_t at = home(object);
  while (slots_[at].object_plus_one != 0 && slots_[at].object_plus_one != object + 1) {
    at = (at + 1) & (slots_.size() - 1);
  }
  used_ += slots_[at].object_plus_one == 0;
  slots_[at] = {static_cast<std::uint32_t>(object + 1), value};
}

void Cells::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(std::max<std::size_t>(16, slots_.size() * 4)));
  shift_ = 64 - std::countr_zero(slots_.size());
  used_ = 0;
  for (const Slot& slot : old) {
    if (slot.object_plus_one != 0) change(slot.object_plus_one - 1, slot.value);
  }
}

}  // namespace deadheat::predict
