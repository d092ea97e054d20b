// SPDX-License-Identifier: Apache-2.0
#include "engine/fasttrack.h"

namespace deadheat::engine {

void FastTrack::handle(const model::Event& event) {
  if (event.kind == model::EventKind::kRead) return on_read_event(event);
  if (event.kind == model::EventKind::kWrite) return on_write_event(event);
  sync_.on_event(event);
}

void FastTrack::on_read_event(const model::Event& event) {
  ThreadState& ts = sync_.thread(event.thread);
  auto& [w, r] = variables_[event.object];
  if (fast_path_ && (epoch_of(r) == ts.read_epoch || epoch_of(w) == ts.epoch || r == ts.last_shared_ok)) return;
  const AccessResult result = on_read(ts, w, r, event.site);
  r = result.word;
  report(ts, result, event);
}

void FastTrack::on_write_event(const model::Event& event) {
  ThreadState& ts = sync_.thread(event.thread);
  auto& [w, r] = variables_[event.object];
  if (fast_path_ && epoch_of(w) == ts.epoch) return;
  const AccessResult result = on_write(ts, w, r, event.site);
  w = result.word;
  if (result.clear_read) r = fast_path_ ? make_write_mark(ts.read_epoch) : kNeverAccessed;
  report(ts, result, event);
}

void FastTrack::report(const ThreadState& ts, const AccessResult& result, const model::Event& event) {
  if (result.conflicts == 0) return;
  const bool is_write = event.kind == model::EventKind::kWrite;
  report_conflicts(ts, result.conflicts, {event.object, 0}, event.site, is_write, sink_);
}

}  // namespace deadheat::engine
