// SPDX-License-Identifier: Apache-2.0
#include "agent/array_words.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace deadheat::agent {

ArrayWords::~ArrayWords() {
  for (Pool& pool : pools_) {
    while (Chunk* chunk = pool.last) {
      pool.last = chunk->before;
      std::free(chunk);
    }
  }
}

// Each thread takes from one pool for good.
ArrayWords::Pool& ArrayWords::own_pool() {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t number = threads.fetch_add(1, std::memory_order_relaxed);
  return pools_[number % kPools];
}

ArrayWords::Pool& ArrayWords::pool_of(void* block) {
  return *reinterpret_cast<Chunk*>(reinterpret_cast<std::uintptr_t>(block) & ~(kChunk - 1))->pool;
}

bool ArrayWords::add_chunk(Pool& pool) {
  void* memory = std::aligned_alloc(kChunk, kChunk);
  if (memory == nullptr) return false;
  // What is left of the chunk before is a block of its own size.
  if (const auto rest = static_cast<std::size_t>(pool.fresh_end - pool.fresh) / kUnit; rest != 0) {
    pool.free[rest] = new (pool.fresh) Free{pool.free[rest]};
  }
  pool.last = new (memory) Chunk{&pool, pool.last};
  pool.fresh = static_cast<char*>(memory) + sizeof(Chunk);
  pool.fresh_end = static_cast<char*>(memory) + kChunk;
  return true;
}

void* ArrayWords::take(Pool& pool, std::size_t units) {
  if (Free* block = pool.free[units]; block != nullptr) {
    pool.free[units] = block->next;
    return block;
  }
  const std::size_t bytes = units * kUnit;
  if (static_cast<std::size_t>(pool.fresh_end - pool.fresh) < bytes && !add_chunk(pool)) return nullptr;
  void* block = pool.fresh;
  pool.fresh += bytes;
  return block;
}

std::uint64_t* ArrayWords::allocate(std::size_t bytes, std::size_t most) {
  if (in_use_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= most) {
    void* words = nullptr;
    if (is_small(bytes)) {
      Pool& mine = own_pool();
      {
        const std::lock_guard<std::mutex> lock(mine.mutex);
        words = take(mine, units(bytes));
      }
      if (words != nullptr) std::memset(words, 0, bytes);
    } else {
      words = std::calloc(1, bytes);
    }
    if (words != nullptr) return static_cast<std::uint64_t*>(words);
  }
  in_use_.fetch_sub(bytes, std::memory_order_relaxed);
  return nullptr;
}

void ArrayWords::free(std::uint64_t* words, std::size_t bytes) {
  if (is_small(bytes)) {
    Pool& its = pool_of(words);
    const std::lock_guard<std::mutex> lock(its.mutex);
    Free*& first = its.free[units(bytes)];
    first = new (words) Free{first};
  } else {
    std::free(words);
  }
  in_use_.fetch_sub(bytes, std::memory_order_relaxed);
}

}  // namespace deadheat::agent
