// SPDX-License-Identifier: Apache-2.0
//
// A number for each object (variable, lock, …) of a run. CellHistory knows the numbers at every place of the trace;
// Cells are those of one state, which may begin at such a place: it keeps only what was changed since, so that it costs
// what a schedule moves, however many objects the trace has. Plain values: a Cells is copied with all that it holds.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "predict/clock_pool.h"

namespace deadheat::predict {

class CellHistory {
 public:
  // In the order of the trace; before finish().
  void add(std::uint64_t object, EventNumber event, std::uint32_t value) {
    changes_.push_back({static_cast<std::uint32_t>(object), {event, value}});
  }
  // Objects are below `objects`.
  void finish(std::uint64_t objects);

  // After the first `count` events; 0 before the first change.
  std::uint32_t value(std::uint64_t object, EventNumber count) const;

 private:
  struct Entry {
    EventNumber event;
    std::uint32_t value;  // from there on
  };
  struct Change {
    std::uint32_t object;
    Entry entry;
  };
  std::vector<Change> changes_;       // until finish()
  std::vector<std::uint32_t> begin_;  // by object: in entries_; one more at the end
  std::vector<Entry> entries_;        // by object, then in the order of the trace
};

class Cells {
 public:
  // All 0.
  explicit Cells(std::uint64_t objects) : all_(objects) {}
  // As after the first `count` events. The history must outlive the cells.
  Cells(const CellHistory& history, EventNumber count) : history_(&history), count_(count) {}

  std::uint32_t operator[](std::uint64_t object) const {
    if (history_ == nullptr) return all_[object];
    if (const Slot* slot = find(object); slot != nullptr) return slot->value;
    return history_->value(object, count_);
  }
  void set(std::uint64_t object, std::uint32_t value) {
    if (history_ == nullptr) {
      all_[object] = value;
    } else {
      change(object, value);
    }
  }
  // Every number, where the cells do not begin in a history.
  const std::vector<std::uint32_t>& all() const { return all_; }

 private:
  // An open hash table, at most half full. Objects are numbered from 0, so a slot has the number plus one.
  struct Slot {
    std::uint32_t object_plus_one = 0;
    std::uint32_t value = 0;
  };
  std::size_t home(std::uint64_t object) const {
    return static_cast<std::size_t>(object * 0x9e3779b97f4a7c15u >> shift_);
  }
  const Slot* find(std::uint64_t object) const {
    if (slots_.empty()) return nullptr;
    for (std::size_t at = home(object);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].object_plus_one == object + 1) return &slots_[at];
      if (slots_[at].object_plus_one == 0) return nullptr;
    }
  }
  void change(std::uint64_t object, std::uint32_t value);
  void grow();

  std::vector<std::uint32_t> all_;
  const CellHistory* history_ = nullptr;
  EventNumber count_ = 0;
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  int shift_ = 0;
};

}  // namespace deadheat::predict
