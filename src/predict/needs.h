// SPDX-License-Identifier: Apache-2.0
//
// What every schedule that keeps all values and shows a pattern has in it: the pasts of the pattern's events with all
// that those found. Says for some patterns that there is no such schedule, and which reads a write would spoil if it
// came before them.
#pragma once

#include <span>
#include <vector>

#include "predict/pattern.h"
#include "predict/ptg.h"
#include "predict/world.h"

namespace deadheat::predict {

class Needs {
 public:
  // Of schedules that begin with the first `prefix` events. `threads`: by thread, its events; it must outlive this, and
  // so must the graph.
  Needs(const Ptg& ptg, const std::vector<std::vector<EventNumber>>& threads, const Pattern& pattern,
        std::span<const EventNumber> events, EventNumber prefix);

  // A step needs one that has to come later (or, for adjacent ones, the other): no schedule keeps the values, whatever
  // it begins with.
  bool is_contradiction() const { return contradiction_; }
  // The last event of the thread that is needed; 0: none behind the prefix.
  EventNumber until(std::uint32_t thread) const { return until_[thread]; }
  // A read of another thread that is needed, not taken and would never find its value once this write is taken. 0:
  // none.
  EventNumber spoiled_by(EventNumber write, const World& world) const;

 private:
  struct Read {
    EventNumber source;    // 0: none in the trace
    std::uint64_t object;  // told apart where there is no source; plain and volatile ones
    std::uint32_t thread;
    EventNumber event;
  };

  void add(EventNumber event);
  void add_all();
  void add_source(EventNumber event);
  void keep_last_of_each_thread();
  bool is_needed(EventNumber event) const;

  const Ptg& ptg_;
  const std::vector<std::vector<EventNumber>>& threads_;
  const EventNumber prefix_;
  std::vector<EventNumber> last_steps_;  // by thread: such a read may see another value if nothing behind it is needed
  std::vector<EventNumber> until_;       // by thread: its last event that is needed
  std::vector<EventNumber> to_add_;
  std::vector<Read> reads_;  // that others may spoil; sorted; of those of one thread that want one value, the last
  bool contradiction_ = false;
};

}  // namespace deadheat::predict
