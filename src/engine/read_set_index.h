// SPDX-License-Identifier: Apache-2.0
//
// Finds read sets by one of their numbers. The links are in the sets themselves, so that entering and leaving allocates
// nothing: sets are made and freed by the million. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/shadow_word.h"

namespace deadheat::engine {

// Members ascend by slot; of one slot at most one plain and then one atomic access (atomic_access.h). refs, pins and
// the links are guarded by the shard's mutex; the rest never changes.
struct ReadSet {
  std::uint64_t id;
  std::uint64_t hash;
  std::int64_t refs;  // variables
  std::uint32_t pins;
  std::uint32_t size;
  ReadSet* next_by_id;
  ReadSet* next_by_hash;
  ShadowWord members[];

  const ShadowWord* begin() const { return members; }
  const ShadowWord* end() const { return members + size; }
};

template <std::uint64_t ReadSet::*kKey, ReadSet* ReadSet::*kNext>
class ReadSetIndex {
 public:
  // The first set of that number for which `accepts` holds, or null.
  template <typename Accepts>
  ReadSet* find(std::uint64_t key, const Accepts& accepts) const {
    if (buckets_.empty()) return nullptr;
    ReadSet* set = buckets_[bucket(key)];
    while (set != nullptr && (set->*kKey != key || !accepts(*set))) set = set->*kNext;
    return set;
  }
  ReadSet* find(std::uint64_t key) const {
    return find(key, [](const ReadSet&) { return true; });
  }

  void insert(ReadSet* set) {
    if (size_ == buckets_.size()) grow();
    ++size_;
    link(set);
  }

  // It must be there.
  void erase(ReadSet* set) {
    ReadSet** at = &buckets_[bucket(set->*kKey)];
    while (*at != set) at = &((*at)->*kNext);
    *at = set->*kNext;
    --size_;
  }

  // `visit` may free the set it is given.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (ReadSet* set : buckets_) {
      while (set != nullptr) {
        ReadSet* const next = set->*kNext;
        visit(set);
        set = next;
      }
    }
  }

 private:
  static constexpr std::size_t kFewest = 64;

  // By the upper bits of a product: neither number is random in its lower ones.
  std::size_t bucket(std::uint64_t key) const { return (key * 0x9e3779b97f4a7c15u >> 32) & (buckets_.size() - 1); }

  void link(ReadSet* set) {
    ReadSet*& head = buckets_[bucket(set->*kKey)];
    set->*kNext = head;
    head = set;
  }

  void grow() {
    ReadSetIndex before;
    before.buckets_.resize(buckets_.empty() ? kFewest : buckets_.size() * 2);
    before.buckets_.swap(buckets_);
    before.for_each([this](ReadSet* set) { link(set); });
  }

  std::vector<ReadSet*> buckets_;  // their number is a power of two
  std::size_t size_ = 0;
};

}  // namespace deadheat::engine
