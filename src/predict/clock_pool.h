// SPDX-License-Identifier: Apache-2.0
//
// Vector clocks over a trace. The entry of a thread is an event number: the last event of that thread that is covered.
// Event numbers grow along every thread, so no counters are kept and a covered event is told by one compare.
//
// ClockPool holds the rows; a Stamp is "what thread t knew at event i": a row that is shared by all stamps of t between
// two of its joins, plus i. Rows are counted and reused, so that memory follows what is still referred to.
//
// ThreadClocks is for transitive orders (happens-before and its kin): whoever covers event i of thread t covers all
// that t knew at i. That is what lets join() return at once when i is covered already.
#pragma once

#include <cstdint>
#include <vector>

namespace deadheat::predict {

using EventNumber = std::uint32_t;

// Entries are processed in blocks: a fixed inner loop becomes vector instructions.
inline constexpr std::uint32_t kClockBlock = 4;

inline void join_rows(std::uint32_t* into, const std::uint32_t* from, std::uint32_t width) {
  for (std::uint32_t i = 0; i < width; i += kClockBlock) {
    for (std::uint32_t k = 0; k < kClockBlock; ++k) into[i + k] = into[i + k] < from[i + k] ? from[i + k] : into[i + k];
  }
}

class ClockPool {
 public:
  explicit ClockPool(std::uint32_t threads)
      : width_((threads + kClockBlock) / kClockBlock * kClockBlock), data_(width_), references_(1, 1) {}

  std::uint32_t width() const { return width_; }
  // Row 0 covers nothing and is never given out.
  std::uint32_t allocate();
  void keep(std::uint32_t row) { ++references_[row]; }
  void drop(std::uint32_t row) {
    if (row != 0 && --references_[row] == 0) free_.push_back(row);
  }
  // Valid until the next allocate().
  std::uint32_t* row(std::uint32_t number) { return data_.data() + std::size_t{number} * width_; }
  const std::uint32_t* row(std::uint32_t number) const { return data_.data() + std::size_t{number} * width_; }
  std::uint64_t memory_bytes() const {
    return (data_.capacity() + references_.capacity() + free_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  const std::uint32_t width_;
  std::vector<std::uint32_t> data_;
  std::vector<std::uint32_t> references_;
  std::vector<std::uint32_t> free_;
};

struct Stamp {
  std::uint32_t row = 0;     // all entries but the thread's own
  std::uint32_t thread = 0;  // 0: no stamp
  EventNumber event = 0;
};

class ThreadClocks {
 public:
  explicit ThreadClocks(std::uint32_t threads)
      : pool_(threads), rows_(std::size_t{threads + 1} * pool_.width()), versions_(threads + 1) {}

  std::uint32_t* of(std::uint32_t thread) { return rows_.data() + std::size_t{thread} * pool_.width(); }
  const std::uint32_t* of(std::uint32_t thread) const { return rows_.data() + std::size_t{thread} * pool_.width(); }
  bool covers(std::uint32_t thread, std::uint32_t other, EventNumber event) const { return event <= of(thread)[other]; }

  // To be called first at every event.
  void step(std::uint32_t thread, EventNumber event) { of(thread)[thread] = event; }

  // The caller owes a drop().
  Stamp stamp(std::uint32_t thread) {
    if (versions_[thread] == 0) make_version(thread);
    pool_.keep(versions_[thread]);
    return {versions_[thread], thread, of(thread)[thread]};
  }
  void drop(const Stamp& stamp) { pool_.drop(stamp.row); }
  void replace(Stamp& old, const Stamp& by) {
    drop(old);
    old = by;
  }

  void join(std::uint32_t thread, const Stamp& stamp) {
    std::uint32_t* mine = of(thread);
    if (stamp.event <= mine[stamp.thread]) return;
    join_rows(mine, pool_.row(stamp.row), pool_.width());
    mine[stamp.thread] = stamp.event;
    changed(thread);
  }
  // All that `other` knows now. One that has done nothing yet knows what it was forked with.
  void join_thread(std::uint32_t thread, std::uint32_t other) {
    if (const EventNumber last = of(other)[other]; last != 0 && last <= of(thread)[other]) return;
    join_rows(of(thread), of(other), pool_.width());
    changed(thread);
  }

  ClockPool& pool() { return pool_; }
  const std::uint32_t* pool_row(std::uint32_t row) const { return pool_.row(row); }
  std::uint64_t memory_bytes() const {
    return pool_.memory_bytes() + (rows_.capacity() + versions_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  void changed(std::uint32_t thread) {
    pool_.drop(versions_[thread]);
    versions_[thread] = 0;
  }
  void make_version(std::uint32_t thread);

  ClockPool pool_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> versions_;  // by thread: the row that equals its clock but for its own entry; 0: none
};

// Releases that do not know of each other (volatile writes, readers of a read-write lock, unparks): the latest stamps
// of which none covers another.
class StampSet {
 public:
  void publish(ThreadClocks& clocks, std::uint32_t thread);
  void receive(ThreadClocks& clocks, std::uint32_t thread) const {
    for (const Stamp& stamp : stamps_) clocks.join(thread, stamp);
  }
  void clear(ThreadClocks& clocks);
  std::uint64_t memory_bytes() const { return stamps_.capacity() * sizeof(Stamp); }

 private:
  std::vector<Stamp> stamps_;
};

}  // namespace deadheat::predict
