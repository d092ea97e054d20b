// SPDX-License-Identifier: Apache-2.0
//
// The state of a run that takes the events of a trace in another order, and which of them may come next: the one place
// where "feasible" is defined (docs/prediction.md, "Correct reorderings"). Copyable, for searches.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "predict/cells.h"
#include "predict/links.h"

namespace deadheat::predict {

// Whether a read of a variable must see the write that it saw in the trace. Free is how PECAN reorders: the program may
// well go on as recorded though a value is another, and a re-execution will tell. What volatile reads see is kept
// always.
enum class Values : std::uint8_t { kKept, kFree };

// Which threads hold each read-write lock together with others.
using LockReaders = std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>;
// What the event, of whatever kind, changes there.
void apply_to(LockReaders& readers, const model::Event& event);

// What the events of a trace, in its order, left behind at every place: for worlds that begin there.
struct WorldHistory {
  CellHistory writes;
  CellHistory volatile_writes;
  CellHistory permits;
  CellHistory holders;
  CellHistory waiting;
};

class World {
 public:
  // Both must outlive the world.
  World(const trace::Trace& trace, const TraceLinks& links, Values values = Values::kKept);
  // After the first `count` events of the trace. `last_taken`: by thread, its last one of these.
  World(const trace::Trace& trace, const TraceLinks& links, const WorldHistory& history, EventNumber count,
        std::vector<EventNumber> last_taken, LockReaders readers);

  void set_values(Values values) { values_ = values; }
  // This read may see another value, as the last event of its thread: who knows where that goes on then.
  void set_free(EventNumber read) { free_.push_back(read); }

  // The thread has done everything before the event, and is alive. Says nothing of locks and values.
  bool is_reached(EventNumber event) const;
  // is_reached, and the event would find what it found in the trace: its lock free, its writer's value, …
  bool can_take(EventNumber event) const;
  // Only what is reached: a thread does its events in their order.
  void take(EventNumber event);
  // To be called after take(): what that changed.
  void record(EventNumber event, WorldHistory& history) const;

  // The last write of its variable is the one that the read saw in the trace.
  bool finds_its_value(EventNumber read) const { return writes_[event(read).object] == links_->source[read]; }

  bool is_taken(EventNumber number) const {
    return number == 0 || number <= last_taken_[to_number(event(number).thread)];
  }
  const std::vector<EventNumber>& last_taken() const { return last_taken_; }
  const LockReaders& all_readers() const { return readers_; }
  // 0: nobody; the thread that holds the lock alone.
  std::uint32_t holder(std::uint64_t lock) const { return holders_[lock]; }
  // The threads that hold a read-write lock with others.
  std::span<const std::uint32_t> readers(std::uint64_t lock) const {
    const auto found = readers_.find(lock);
    return found == readers_.end() ? std::span<const std::uint32_t>() : found->second;
  }
  // What a read of the same object would see now: the last write that is volatile if this event is. 0: none.
  EventNumber last_write(const model::Event& e) const {
    return e.kind == model::EventKind::kRead || e.kind == model::EventKind::kWrite ? writes_[e.object]
                                                                                   : volatile_writes_[e.object];
  }
  // All that can_take depends on and the set of taken events does not determine. Not for worlds of a history.
  void append_values(std::vector<EventNumber>& key) const;

 private:
  const model::Event& event(EventNumber number) const { return trace_->events[number - 1]; }
  bool is_lock_free(const model::Event& e) const;
  bool is_free(EventNumber read) const;

  const trace::Trace* trace_;
  const TraceLinks* links_;
  Values values_;
  std::vector<EventNumber> free_;
  std::vector<std::uint32_t> strayed_;   // threads, sorted; they take nothing more
  std::vector<EventNumber> last_taken_;  // by thread
  Cells writes_;
  Cells volatile_writes_;
  Cells permits_;
  Cells holders_;
  Cells waiting_;  // by monitor: threads that a notify would find
  LockReaders readers_;
};

// Whether the events, in this order, are a correct reordering: each can be taken after those before it.
// Those in `free` may see another value, each as the last event of its thread.
bool is_feasible(const trace::Trace& trace, const TraceLinks& links, std::span<const EventNumber> schedule,
                 Values values = Values::kKept, std::span<const EventNumber> free = {});

}  // namespace deadheat::predict
