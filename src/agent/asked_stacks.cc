// SPDX-License-Identifier: Apache-2.0
#include "agent/asked_stacks.h"

#include <atomic>

namespace deadheat::agent {

namespace {

constexpr std::uint64_t kLanes = 4;

std::uint64_t hash_of(std::uint32_t context, std::uint32_t method) {
  return (std::uint64_t{context} << 32 | method) * kAskedFactor;
}

// Never 0, which is an empty lane.
std::uint64_t mark_of(std::uint64_t hash) { return (hash >> kAskedMarkShift & kAskedMarkMask) + 1; }

std::uint64_t place_of(std::uint64_t hash, std::uint64_t words) {
  return words + (hash >> kAskedWordShift & (words - 1));
}

std::uint64_t load(const std::uint64_t& word) {
  return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_acquire);
}

void store(std::uint64_t& word, std::uint64_t value) { std::atomic_ref(word).store(value, std::memory_order_release); }

}  // namespace

AskedStacks::AskedStacks() { block_.get()[0] = kFewestAskedWords; }

bool AskedStacks::looks_known(std::uint32_t context, std::uint32_t method) const {
  const std::uint64_t words = load(block_.get()[0]);
  const std::uint64_t hash = hash_of(context, method);
  const std::uint64_t others = load(block_.get()[place_of(hash, words)]) ^ mark_of(hash) * kAskedLanes;
  return ((others - kAskedLanes) & ~others & kAskedLanes << 15) != 0;  // one lane is 0
}

void AskedStacks::note(std::uint32_t context, std::uint32_t method) {
  const std::lock_guard lock(mutex_);
  if (looks_known(context, method)) return;
  const std::uint64_t hash = hash_of(context, method);
  std::uint64_t words = load(block_.get()[0]);
  if (hashes_.size() >= words * kLanes * 3 / 8 && words < kMostAskedWords) {  // fuller, and many words would be full
    words *= 2;
    for (const std::uint64_t old : hashes_) put(old, words);
    store(block_.get()[0], words);
  }
  if (words < kMostAskedWords) hashes_.push_back(hash);
  put(hash, words);
}

// A word that is full loses one: that pair is asked for again.
void AskedStacks::put(std::uint64_t hash, std::uint64_t words) {
  std::uint64_t& word = block_.get()[place_of(hash, words)];
  std::uint64_t lane = 0;
  while (lane < kLanes && (word >> lane * 16 & 0xffff) != 0) ++lane;
  if (lane == kLanes) lane = hash >> 62;
  store(word, (word & ~(std::uint64_t{0xffff} << lane * 16)) | mark_of(hash) << lane * 16);
}

}  // namespace deadheat::agent
