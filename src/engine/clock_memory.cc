// SPDX-License-Identifier: Apache-2.0
#include "engine/clock_memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "base/check.h"

namespace deadheat::engine {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kMapFrom = 16384;  // smaller blocks (small engines, mostly in tests) come from the heap

}  // namespace

ClockMemory::ClockMemory(std::size_t count, std::size_t length) {
  const std::size_t row = (length * sizeof(std::uint32_t) + kCacheLine - 1) / kCacheLine * kCacheLine;
  stride_ = row / sizeof(std::uint32_t);
  bytes_ = row * count;
  mapped_ = bytes_ >= kMapFrom;
  void* memory;
  if (mapped_) {
    memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    DH_CHECK(memory != MAP_FAILED);
  } else {
    memory = std::aligned_alloc(kCacheLine, bytes_);
    DH_CHECK(memory != nullptr);
    std::memset(memory, 0, bytes_);
  }
  base_ = static_cast<std::uint32_t*>(memory);
}

ClockMemory::~ClockMemory() {
  if (mapped_) {
    munmap(base_, bytes_);
  } else {
    std::free(base_);
  }
}

}  // namespace deadheat::engine
