// SPDX-License-Identifier: Apache-2.0
//
// The memory for the shadow words of arrays (DeadheatArrayWords.java), which the shim asks for and gives back: small
// blocks by the million, freed many at a time where a collection's dead are swept. Those come from pools with free
// lists by size, several so that threads seldom meet, and go back to the pool they came from, whoever frees them. What
// a pool has taken from the system it keeps. Any thread may call. Needs no JVM.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace deadheat::agent {

class ArrayWords {
 public:
  ArrayWords() = default;
  ~ArrayWords();  // nothing may be in use
  ArrayWords(const ArrayWords&) = delete;
  ArrayWords& operator=(const ArrayWords&) = delete;

  // Zeroed; null if more than `most` bytes would be in use, or if there is no memory.
  std::uint64_t* allocate(std::size_t bytes, std::size_t most);
  // What allocate() has returned for as many bytes.
  void free(std::uint64_t* words, std::size_t bytes);

  std::size_t in_use() const { return in_use_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kUnit = 16;         // the words of an element
  static constexpr std::size_t kMostSmall = 1024;  // larger blocks are the system's to give
  static constexpr std::size_t kChunk = 64 * 1024;
  static constexpr std::size_t kPools = 8;

  struct Free {
    Free* next;
  };
  struct Pool;
  // The beginning of a chunk, which is aligned to its size: so each block tells whose it is.
  struct alignas(kUnit) Chunk {
    Pool* pool;
    Chunk* before;
  };
  struct alignas(64) Pool {
    std::mutex mutex;
    std::array<Free*, kMostSmall / kUnit + 1> free{};  // by units; guarded, as everything here
    char* fresh = nullptr;                             // of the last chunk, never given out yet
    char* fresh_end = nullptr;
    Chunk* last = nullptr;
  };

  static constexpr bool is_small(std::size_t bytes) { return bytes <= kMostSmall; }
  static constexpr std::size_t units(std::size_t bytes) { return (bytes + kUnit - 1) / kUnit; }
  Pool& own_pool();
  static Pool& pool_of(void* block);
  static bool add_chunk(Pool& pool);
  static void* take(Pool& pool, std::size_t units);

  std::atomic<std::size_t> in_use_{0};
  std::array<Pool, kPools> pools_;
};

}  // namespace deadheat::agent
