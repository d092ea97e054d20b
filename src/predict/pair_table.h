// SPDX-License-Identifier: Apache-2.0
//
// An open-addressing map from (lock, location) to a dense index, for the tables that linear analyses look up at every
// access. Never forgets.
#pragma once

#include <cstdint>
#include <vector>

namespace deadheat::predict {

class PairTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::uint32_t find(std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t key = key_of(a, b);
    for (std::size_t at = start(key);; at = (at + 1) & mask_) {
      if (slots_[at].key == key) return slots_[at].index;
      if (slots_[at].key == 0) return kNone;
    }
  }
  // The index of the pair; size() - 1 for a new one.
  std::uint32_t insert(std::uint32_t a, std::uint32_t b) {
    if (2 * (std::size_t{size_} + 1) > slots_.size()) grow();
    const std::uint64_t key = key_of(a, b);
    std::size_t at = start(key);
    while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & mask_;
    if (slots_[at].key == 0) slots_[at] = {key, size_++};
    return slots_[at].index;
  }
  std::uint32_t size() const { return size_; }
  std::uint64_t memory_bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t key = 0;  // 0: empty
    std::uint32_t index = 0;
  };
  // Numbers begin at 1, so no key is 0.
  static std::uint64_t key_of(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }
  std::size_t start(std::uint64_t key) const { return (key * 0x9e3779b97f4a7c15 >> 32) & mask_; }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.key == 0) continue;
      std::size_t at = start(slot.key);
      while (slots_[at].key != 0) at = (at + 1) & mask_;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  std::size_t mask_ = 63;
  std::uint32_t size_ = 0;
};

}  // namespace deadheat::predict
