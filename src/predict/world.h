// SPDX-License-Identifier: Apache-2.0
//
// The state of a run that takes the events of a trace in another order, and which of them may come next: the one place
// where "feasible" is defined (docs/prediction.md, "Correct reorderings"). Copyable, for searches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "predict/links.h"

namespace deadheat::predict {

class World {
 public:
  // Both must outlive the world.
  World(const trace::Trace& trace, const TraceLinks& links);

  // The thread has done everything before the event, and is alive. Says nothing of locks and values.
  bool is_reached(EventNumber event) const;
  // is_reached, and the event would find what it found in the trace: its lock free, its writer's value, …
  bool can_take(EventNumber event) const;
  void take(EventNumber event);

  // 0: nobody; the thread that holds the lock alone.
  std::uint32_t holder(std::uint64_t lock) const { return holders_[lock]; }
  // All that can_take depends on and the set of taken events does not determine.
  void append_values(std::vector<EventNumber>& key) const;

 private:
  const model::Event& event(EventNumber number) const { return trace_->events[number - 1]; }
  bool is_lock_free(const model::Event& e) const;
  bool is_anyone_waiting(std::uint64_t monitor) const;

  const trace::Trace* trace_;
  const TraceLinks* links_;
  std::vector<bool> taken_;
  std::vector<EventNumber> writes_;
  std::vector<EventNumber> volatile_writes_;
  std::vector<EventNumber> permits_;
  std::vector<std::uint32_t> holders_;
  std::vector<std::vector<std::uint32_t>> readers_;  // of read-write locks
};

// Whether the events, in this order, are a correct reordering: each can be taken after those before it.
bool is_feasible(const trace::Trace& trace, const TraceLinks& links, std::span<const EventNumber> schedule);

}  // namespace deadheat::predict
