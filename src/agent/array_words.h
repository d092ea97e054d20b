// SPDX-License-Identifier: Apache-2.0
//
// The memory for the shadow words of arrays (DeadheatArrayWords.java), which the shim asks for and gives back.
// Any thread may call. Needs no JVM.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace deadheat::agent {

class ArrayWords {
 public:
  // Zeroed; null if more than `most` bytes would be in use, or if there is no memory.
  std::uint64_t* allocate(std::size_t bytes, std::size_t most);
  // What allocate() has returned for as many bytes.
  void free(std::uint64_t* words, std::size_t bytes);

  std::size_t in_use() const { return in_use_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::size_t> in_use_{0};
};

}  // namespace deadheat::agent
