// SPDX-License-Identifier: Apache-2.0
//
// Records of variables that two words cannot hold, for the detectors of candidates. A variable's word names its record:
//
//   [ 0:14 | generation:18 | index:32 ]    slot 0 is nobody's, so the word is told from every access (shadow_word.h)
//
// Variables die untold; so beyond `most` records the oldest is taken from its variable, whose word then names nothing:
// the variable begins anew, and what was forgotten is counted. Any thread may call; a record is changed under its lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "engine/shadow_word.h"

namespace deadheat::engine {

constexpr bool is_record_word(ShadowWord word) { return slot_of(word) == 0 && bits(word) != 0; }

template <typename Record>
class RecordTable {
 public:
  explicit RecordTable(std::uint32_t most)
      : most_(most == 0 ? 1 : most), chunks_(new std::atomic<Entry*>[most_ / kChunk + 1]()) {}
  ~RecordTable() {
    for (std::uint32_t i = 0; i <= most_ / kChunk; ++i) delete[] chunks_[i].load(std::memory_order_relaxed);
  }
  RecordTable(const RecordTable&) = delete;
  RecordTable& operator=(const RecordTable&) = delete;

  // A fresh record, filled by `fill(Record&)`.
  template <typename Fill>
  ShadowWord make(Fill fill) {
    const std::uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
    const auto index = static_cast<std::uint32_t>(number % most_);
    const std::lock_guard lock(lock_of(index));
    Entry& entry = make_chunk(index)[index % kChunk];
    if (entry.generation != 0) forgotten_.fetch_add(1, std::memory_order_relaxed);
    entry.generation = entry.generation % kMaxGeneration + 1;
    entry.record = Record{};
    fill(entry.record);
    return ShadowWord{std::uint64_t{entry.generation} << 32 | index};
  }

  // Calls use(Record&) under the record's lock. False: the word names no record, or no longer.
  template <typename Use>
  bool with(ShadowWord word, Use use) {
    const auto index = static_cast<std::uint32_t>(bits(word));
    if (!is_record_word(word) || index >= most_) return false;
    Entry* const chunk = chunks_[index / kChunk].load(std::memory_order_acquire);
    if (chunk == nullptr) return false;
    const std::lock_guard lock(lock_of(index));
    Entry& entry = chunk[index % kChunk];
    if (entry.generation != bits(word) >> 32) return false;
    use(entry.record);
    return true;
  }

  std::uint64_t made() const { return next_.load(std::memory_order_relaxed); }
  std::uint64_t forgotten() const { return forgotten_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint32_t kMaxGeneration = (1u << 18) - 1;
  static constexpr std::size_t kLocks = 64;
  static constexpr std::uint32_t kChunk = 4096;
  struct Entry {
    std::uint32_t generation = 0;  // 0: never used
    Record record{};
  };
  Entry* make_chunk(std::uint32_t index) {
    std::atomic<Entry*>& chunk = chunks_[index / kChunk];
    if (Entry* known = chunk.load(std::memory_order_acquire)) return known;
    const std::lock_guard lock(growing_);
    if (chunk.load(std::memory_order_relaxed) == nullptr) chunk.store(new Entry[kChunk], std::memory_order_release);
    return chunk.load(std::memory_order_relaxed);
  }
  std::mutex& lock_of(std::uint32_t index) { return locks_[index % kLocks]; }

  const std::uint32_t most_;
  std::unique_ptr<std::atomic<Entry*>[]> chunks_;  // made when first needed
  std::mutex growing_;
  std::array<std::mutex, kLocks> locks_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> forgotten_{0};
};

}  // namespace deadheat::engine
