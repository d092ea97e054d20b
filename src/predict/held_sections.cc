// SPDX-License-Identifier: Apache-2.0
#include "predict/held_sections.h"

#include <algorithm>

namespace deadheat::predict {

HeldSections::Id HeldSections::open(const model::Event& event, EventNumber number) {
  const auto id = static_cast<Id>(sections_.size());
  const std::uint32_t thread = to_number(event.thread);
  OfLock& lock = of_lock_[event.object];
  sections_.push_back({.lock = static_cast<std::uint32_t>(event.object),
                       .thread = thread,
                       .acquire = number,
                       .order = static_cast<std::uint32_t>(lock.sections.size()),
                       .shared = is_shared_lock(event)});
  lock.sections.push_back(id);
  auto found = std::find_if(lock.threads.begin(), lock.threads.end(),
                            [thread](const Acquires& a) { return a.thread == thread; });
  if (found == lock.threads.end()) {
    lock.threads.push_back({thread, {}, {}});
    found = lock.threads.end() - 1;
  }
  (is_shared_lock(event) ? found->shared : found->exclusive).push_back(number);
  cells_.push_back({id, now_[thread]});
  now_[thread] = static_cast<std::uint32_t>(cells_.size() - 1);
  return id;
}

HeldSections::Id HeldSections::close(const model::Event& event, EventNumber number) {
  const std::uint32_t thread = to_number(event.thread);
  for (std::uint32_t cell = now_[thread]; cell != 0; cell = cells_[cell].next) {
    const Id id = cells_[cell].section;
    if (sections_[id].lock != event.object || sections_[id].shared != is_shared_lock(event)) continue;
    sections_[id].release = number;
    now_[thread] = without(now_[thread], id);
    return id;
  }
  return 0;
}

std::uint32_t HeldSections::without(std::uint32_t list, Id section) {
  if (cells_[list].section == section) return cells_[list].next;
  const Id kept = cells_[list].section;
  const std::uint32_t rest = without(cells_[list].next, section);
  cells_.push_back({kept, rest});
  return static_cast<std::uint32_t>(cells_.size() - 1);
}

bool HeldSections::is_followed(const Section& section, const std::uint32_t* ideal) const {
  const OfLock& lock = of_lock_[section.lock];
  const auto is_inside = [&](const Section& other) {
    return other.acquire <= ideal[other.thread] && other.thread != section.thread && !(other.shared && section.shared);
  };
  // Ideals mostly end at about the same place of the trace in every thread, so the next few sections nearly always
  // tell.
  constexpr std::uint32_t kNear = 8;
  const auto count = static_cast<std::uint32_t>(lock.sections.size());
  const std::uint32_t near = std::min(count, section.order + 1 + kNear);
  for (std::uint32_t i = section.order + 1; i < near; ++i) {
    if (is_inside(sections_[lock.sections[i]])) return true;
  }
  if (near == count) return false;
  const auto has_between = [&](const std::vector<EventNumber>& acquires, EventNumber last) {
    const auto next = std::upper_bound(acquires.begin(), acquires.end(), section.acquire);
    return next != acquires.end() && *next <= last;
  };
  for (const Acquires& other : lock.threads) {
    const EventNumber last = ideal[other.thread];
    if (other.thread == section.thread || last <= section.acquire) continue;
    if (has_between(other.exclusive, last)) return true;
    if (!section.shared && has_between(other.shared, last)) return true;
  }
  return false;
}

std::uint64_t HeldSections::memory_bytes() const {
  std::uint64_t bytes = sections_.capacity() * sizeof(Section) + cells_.capacity() * sizeof(Cell) +
                        (now_.capacity() + after_.capacity()) * sizeof(std::uint32_t) +
                        of_lock_.capacity() * sizeof(OfLock);
  for (const OfLock& lock : of_lock_) {
    bytes += lock.sections.capacity() * sizeof(Id) + lock.threads.capacity() * sizeof(Acquires);
    for (const Acquires& a : lock.threads)
      bytes += (a.exclusive.capacity() + a.shared.capacity()) * sizeof(EventNumber);
  }
  return bytes;
}

}  // namespace deadheat::predict
