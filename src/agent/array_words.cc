// SPDX-License-Identifier: Apache-2.0
#include "agent/array_words.h"

#include <cstdlib>

namespace deadheat::agent {

std::uint64_t* ArrayWords::allocate(std::size_t bytes, std::size_t most) {
  if (in_use_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= most) {
    if (auto* words = static_cast<std::uint64_t*>(std::calloc(1, bytes))) return words;
  }
  in_use_.fetch_sub(bytes, std::memory_order_relaxed);
  return nullptr;
}

void ArrayWords::free(std::uint64_t* words, std::size_t bytes) {
  std::free(words);
  in_use_.fetch_sub(bytes, std::memory_order_relaxed);
}

}  // namespace deadheat::agent
