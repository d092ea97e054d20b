// SPDX-License-Identifier: Apache-2.0
#include "engine/lockset.h"

namespace deadheat::engine {

using model::EventKind;

void Lockset::handle(const model::Event& event) {
  if (event.kind == EventKind::kRead || event.kind == EventKind::kWrite) return on_access(event);
  locks_.on_event(event);
}

void Lockset::on_access(const model::Event& event) {
  Variable& variable = variables_[event.object];
  const bool is_write = event.kind == EventKind::kWrite;
  const LocksetId held = is_write ? locks_.held_for_writing_by(event.thread) : locks_.held_by(event.thread);
  const AccessRecord current{event.thread, 0, event.site, is_write};

  switch (variable.state) {
    case State::kVirgin:
      variable.state = State::kExclusive;
      break;
    case State::kExclusive:
      if (variable.last.thread == event.thread) break;
      variable.state = is_write ? State::kSharedModified : State::kShared;
      variable.candidates = held;
      break;
    case State::kShared:
      if (is_write) variable.state = State::kSharedModified;
      variable.candidates = locks_.intersect(variable.candidates, held);
      break;
    case State::kSharedModified:
      variable.candidates = locks_.intersect(variable.candidates, held);
      break;
  }
  if (variable.last.thread != event.thread) variable.last_other = variable.last;
  if (variable.state == State::kSharedModified && variable.candidates == LocksetId{}) {
    sink_.receive(sink_.context, {{event.object, 0}, current, variable.last_other});
  }
  variable.last = current;
}

}  // namespace deadheat::engine
