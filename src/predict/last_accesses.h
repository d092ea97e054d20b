// SPDX-License-Identifier: Apache-2.0
//
// FastTrack's memory of a variable (Flanagan and Freund, PLDI 2009), made exact for every access of the run and not
// only for the first race of a variable: one access stands for all earlier ones while they are ordered before it, and a
// row with the last access of each thread takes over while they are not. Answers: is this access unordered with some
// earlier conflicting one?
//
// Exact for any transitive order: if the one access is ordered before the present one, so are all it stands for.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/clock_pool.h"

namespace deadheat::predict {

class LastAccesses {
 public:
  LastAccesses(std::uint32_t variables, std::uint32_t threads) : rows_(threads), variables_(variables + 1) {}

  // `clock`: what the access is ordered after.
  bool is_racy_read(std::uint64_t variable, const std::uint32_t* clock) const {
    return !is_covered(variables_[variable].writes, clock);
  }
  bool is_racy_write(std::uint64_t variable, const std::uint32_t* clock) const {
    return !is_covered(variables_[variable].writes, clock) || !is_covered(variables_[variable].reads, clock);
  }
  // `clock`: as above, for a read with its source.
  void add_read(std::uint64_t variable, std::uint32_t thread, EventNumber event, const std::uint32_t* clock) {
    add(variables_[variable].reads, thread, event, clock);
  }
  void add_write(std::uint64_t variable, std::uint32_t thread, EventNumber event, const std::uint32_t* clock) {
    Variable& v = variables_[variable];
    // Reads that come before this write are ordered before whatever follows it.
    if (v.reads.event != 0 && is_covered(v.reads, clock)) forget(v.reads);
    add(v.writes, thread, event, clock);
  }
  std::uint64_t memory_bytes() const { return rows_.memory_bytes() + variables_.capacity() * sizeof(Variable); }

 private:
  struct Accesses {
    EventNumber event = 0;  // the last one
    std::uint32_t thread = 0;
    std::uint32_t row = 0;  // 0: the last one stands for all
  };
  struct Variable {
    Accesses writes;
    Accesses reads;
  };

  bool is_covered(const Accesses& a, const std::uint32_t* clock) const {
    return a.row == 0 ? a.event <= clock[a.thread] : is_row_covered(a.row, clock);
  }
  bool is_row_covered(std::uint32_t row, const std::uint32_t* clock) const {
    const std::uint32_t* entries = rows_.row(row);
    std::uint32_t behind = 0;
    for (std::uint32_t i = 0; i < rows_.width(); ++i) behind |= static_cast<std::uint32_t>(entries[i] > clock[i]);
    return behind == 0;
  }
  void forget(Accesses& a) {
    rows_.drop(a.row);
    a = {};
  }
  void add(Accesses& a, std::uint32_t thread, EventNumber event, const std::uint32_t* clock) {
    if (is_covered(a, clock)) {
      rows_.drop(a.row);
      a.row = 0;
    } else if (a.row == 0) {
      spread(a);
    }
    a.event = event;
    a.thread = thread;
    if (a.row != 0) rows_.row(a.row)[thread] = event;
  }
  void spread(Accesses& a) {
    a.row = rows_.allocate();
    std::uint32_t* entries = rows_.row(a.row);
    for (std::uint32_t i = 0; i < rows_.width(); ++i) entries[i] = 0;
    entries[a.thread] = a.event;
  }

  ClockPool rows_;
  std::vector<Variable> variables_;
};

}  // namespace deadheat::predict
