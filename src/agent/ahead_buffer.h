// SPDX-License-Identifier: Apache-2.0
//
// Accesses of one managed thread that the recorder has yet to be told of. While the scheduler has nothing to decide
// (Scheduler::room) the shim puts them here itself, without a call into the agent: an entry, then `next`. It may do so
// as long as `next` is below `limit`.
//
// The thread that it belongs to appends, and is the only one to call anything but take and shut. Others may take what
// is there, under the scheduler's lock; everything is taken once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "schedule/operation.h"

namespace deadheat::agent {

class AheadBuffer {
 public:
  static constexpr int kKindShift = 28;
  static constexpr std::uint32_t kExtentMask = (1u << kKindShift) - 1;
  struct Entry {
    std::uint64_t object;  // Operation::object
    std::uint32_t site;    // its number
    std::uint32_t what;    // the kind above the extent: see kKindShift

    schedule::OperationKind kind() const { return static_cast<schedule::OperationKind>(what >> kKindShift); }
    std::uint32_t extent() const { return what & kExtentMask; }
  };
  static constexpr std::size_t kEntries = 2048;

  // Without it there is never room.
  void open() {
    entries_ = std::make_unique<Entry[]>(kEntries);
    taken_.store(address(entries_.get()));
    next_.store(address(entries_.get()));
  }
  // Everything has been taken, or never will be.
  void close() {
    limit_.store(0);
    next_.store(0);
    taken_.store(0);
    entries_.reset();
  }

  bool has_more() const { return taken_.load(std::memory_order_acquire) != next_.load(std::memory_order_relaxed); }
  // Under the lock. Calls take(entries) with what has come since the last time, if anything.
  template <typename Take>
  void take(Take&& take) {
    const std::uint64_t end = next_.load(std::memory_order_acquire);
    const std::uint64_t at = taken_.load(std::memory_order_relaxed);
    if (at == 0 || end == 0 || at == end) return;  // not open, or not any more, or nothing
    take(std::span(reinterpret_cast<const Entry*>(at), (end - at) / sizeof(Entry)));
    taken_.store(end, std::memory_order_release);
  }
  // Everything has been taken, and there is little room left: rewind().
  bool is_low() const { return next_.load(std::memory_order_relaxed) > address(entries_.get() + kEntries / 2); }
  // Under the lock.
  void rewind() {
    next_.store(address(entries_.get()), std::memory_order_relaxed);
    taken_.store(address(entries_.get()), std::memory_order_relaxed);
  }
  // So many may come from here on.
  void allow(std::uint64_t room) {
    const std::uint64_t next = next_.load(std::memory_order_relaxed);
    const std::uint64_t most = (address(entries_.get() + kEntries) - next) / sizeof(Entry);
    limit_.store(next + (room < most ? room : most) * sizeof(Entry), std::memory_order_relaxed);
  }
  // By anybody: no room until its thread is allowed some.
  void shut() { limit_.store(0, std::memory_order_relaxed); }

  // Where the shim finds the two.
  static constexpr std::size_t next_offset();
  static constexpr std::size_t limit_offset();

 private:
  static std::uint64_t address(const Entry* entry) { return reinterpret_cast<std::uint64_t>(entry); }

  std::atomic<std::uint64_t> next_{0};   // where the next entry goes
  std::atomic<std::uint64_t> limit_{0};  // no entry from here on
  std::atomic<std::uint64_t> taken_{0};  // all before it were taken
  std::unique_ptr<Entry[]> entries_;
};

constexpr std::size_t AheadBuffer::next_offset() { return offsetof(AheadBuffer, next_); }
constexpr std::size_t AheadBuffer::limit_offset() { return offsetof(AheadBuffer, limit_); }

}  // namespace deadheat::agent
