// SPDX-License-Identifier: Apache-2.0
//
// A map from 64-bit keys to numbers that are not 0, for tables that only grow and are asked millions of times a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace deadheat {

template <typename Number>
class NumberMap {
 public:
  // The number of the key; 0 until it is given one. The reference holds until the next call. Whoever asks gives it one:
  // a key without would be forgotten when the table grows.
  Number& operator[](std::uint64_t key) {
    Slot* slot = &slot_of(key);
    if (slot->number != 0) return slot->number;
    if (used_ * 2 >= slots_.size()) {
      grow();
      slot = &slot_of(key);
    }
    ++used_;
    slot->key = key;
    return slot->number;
  }

 private:
  static constexpr std::uint64_t kNeighbours = 4;

  struct Slot {
    std::uint64_t key = 0;
    Number number = 0;  // 0: free
  };

  Slot& slot_of(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    // Keys that differ in their last bits are asked for together (fields of an object, elements of an array): they
    // share a cache line.
    const std::uint64_t mixed = (key / kNeighbours) * 0x9e3779b97f4a7c15;
    const std::uint64_t first = (mixed ^ mixed >> 32) * kNeighbours + key % kNeighbours;
    for (auto at = static_cast<std::size_t>(first) & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.number == 0 || slot.key == key) return slot;
    }
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number != 0) slot_of(slot.key) = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // open addressing; the size is a power of two, at most half full
  std::size_t used_ = 0;
};

}  // namespace deadheat
