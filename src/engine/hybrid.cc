// SPDX-License-Identifier: Apache-2.0
#include "engine/hybrid.h"

#include <algorithm>

namespace deadheat::engine {

using model::EventKind;

void Hybrid::handle(const model::Event& event) {
  if (event.kind == EventKind::kRead || event.kind == EventKind::kWrite) return on_access(event);
  locks_.on_event(event);
  sync_.on_event(event);
}

void Hybrid::on_access(const model::Event& event) {
  ThreadState& ts = sync_.thread(event.thread);
  const bool is_write = event.kind == EventKind::kWrite;
  const LocksetId held = locks_.held_by(event.thread);
  const LocksetId held_for_writing = locks_.held_for_writing_by(event.thread);
  std::vector<Past>& past = variables_[event.object];

  for (const Past& access : past) {
    if (!access.is_write && !is_write) continue;
    if (ts.is_ordered(access.word)) continue;  // true for the own thread
    // Two readers of a lock do not exclude each other.
    if (locks_.intersect(access.locks, held_for_writing) != LocksetId{}) continue;
    if (locks_.intersect(access.write_locks, held) != LocksetId{}) continue;
    ts.conflicts[0] = {access.word, access.is_write};
    report_conflicts(ts, 1, {event.object, 0}, event.site, is_write, sink_);
  }

  if (!ts.watched) return;
  // An access equal to one before it adds no pair. A release must publish what was remembered in this epoch.
  ts.dirty = true;
  const Past current{make_word(ts.epoch, event.site), held, held_for_writing, is_write};
  if (std::find(past.begin(), past.end(), current) != past.end()) return;
  if (past.size() >= capacity_) {
    const std::size_t drop = std::max<std::size_t>(past.size() / 2, 1);
    past.erase(past.begin(), past.begin() + static_cast<std::ptrdiff_t>(drop));
    forgotten_ += drop;
  }
  past.push_back(current);
}

}  // namespace deadheat::engine
