// SPDX-License-Identifier: Apache-2.0
//
// Which calling contexts of which methods the agent has a stack for, in a table that all threads of the shim look into
// before they ask (DeadheatHistory.askForStack). They look at every access that is put on record in a context they do
// not remember, so the table must stay in the cache: it holds 15 bits of a hash of each pair, four to a word, and is
// only as large as it has to be. One pair in some ten thousand is taken for another that is there; its stack is then
// not kept.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "agent/zeroed_array.h"

namespace deadheat::agent {

// A table of n words (n a power of two) begins at word n of the block, so that n alone, which is in word 0, says where
// to look. Larger tables come behind smaller ones; all are in place from the beginning.
inline constexpr std::uint64_t kFewestAskedWords = 1u << 11;
inline constexpr std::uint64_t kMostAskedWords = 1u << 18;

inline constexpr std::uint64_t kAskedFactor = 0x9e3779b97f4a7c15;
inline constexpr int kAskedWordShift = 40;  // of the hash, to the bits that pick the word
inline constexpr int kAskedMarkShift = 24;  // to the bits that stay
inline constexpr std::uint64_t kAskedMarkMask = 0x7fff;
inline constexpr std::uint64_t kAskedLanes = 0x0001'0001'0001'0001;

class AskedStacks {
 public:
  AskedStacks();

  // Any thread. `looks_known` holds for the pair from now on, until one of too many others takes its place.
  void note(std::uint32_t context, std::uint32_t method);
  // What the shim does.
  bool looks_known(std::uint32_t context, std::uint32_t method) const;

  const std::uint64_t* block() const { return block_.get(); }

 private:
  void put(std::uint64_t hash, std::uint64_t words);

  std::mutex mutex_;
  std::vector<std::uint64_t> hashes_;  // of all that are in the table, for the next larger one
  const ZeroedArray<std::uint64_t> block_{2 * kMostAskedWords};
};

}  // namespace deadheat::agent
