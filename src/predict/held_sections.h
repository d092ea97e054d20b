// SPDX-License-Identifier: Apache-2.0
//
// The critical sections of a trace, built up as it is read, and which of them a thread was inside after each of its
// events. Sections of a lock are in the order of the trace; a wait ends one section and begins another.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/clock_pool.h"
#include "predict/trace_sizes.h"

namespace deadheat::predict {

struct Section {
  std::uint32_t lock = 0;
  std::uint32_t thread = 0;
  EventNumber acquire = 0;
  EventNumber release = 0;  // 0: not yet
  std::uint32_t order = 0;  // index among the sections of the lock
  bool shared = false;
  Stamp at_release;
};

class HeldSections {
 public:
  using Id = std::uint32_t;  // of a section
  explicit HeldSections(const TraceSizes& sizes)
      : sections_(1), cells_(1), now_(sizes.threads + 1), after_(sizes.events + 1), of_lock_(sizes.syncs + 1) {}

  // `event` is an acquire.
  Id open(const model::Event& event, EventNumber number);
  // `event` is a release; 0: it releases nothing that is held.
  Id close(const model::Event& event, EventNumber number);
  // To be called at the end of every event: what its thread is inside then.
  void mark(std::uint32_t thread, EventNumber number) { after_[number] = now_[thread]; }

  const Section& section(Id id) const { return sections_[id]; }
  Section& section(Id id) { return sections_[id]; }

  // Calls use(section) for every section that is open after the event (innermost first) until it says false.
  template <typename Use>
  bool for_each_after(EventNumber event, Use use) const {
    return for_each(after_[event], use);
  }
  template <typename Use>
  bool for_each_now(std::uint32_t thread, Use use) const {
    return for_each(now_[thread], use);
  }
  bool is_inside_any(EventNumber event) const { return after_[event] != 0; }
  // Whether the ideal (an entry for each thread) has a section of the same lock, later than the given one, by another
  // thread, and not both shared.
  bool is_followed(const Section& section, const std::uint32_t* ideal) const;

  std::uint64_t memory_bytes() const;

 private:
  // A list that is never changed, so that its head stands for the set that was held at an event.
  struct Cell {
    Id section = 0;
    std::uint32_t next = 0;
  };
  struct Acquires {  // of one thread
    std::uint32_t thread = 0;
    std::vector<EventNumber> exclusive;
    std::vector<EventNumber> shared;
  };
  struct OfLock {
    std::vector<Id> sections;
    std::vector<Acquires> threads;
  };

  template <typename Use>
  bool for_each(std::uint32_t cell, Use use) const {
    for (; cell != 0; cell = cells_[cell].next) {
      if (!use(sections_[cells_[cell].section])) return false;
    }
    return true;
  }
  std::uint32_t without(std::uint32_t list, Id section);

  std::vector<Section> sections_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> now_;    // by thread
  std::vector<std::uint32_t> after_;  // by event
  std::vector<OfLock> of_lock_;
};

}  // namespace deadheat::predict
