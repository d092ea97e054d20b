// SPDX-License-Identifier: Apache-2.0
//
// Zeroed memory for clock arrays. Large blocks are mapped, so that only pages in use cost anything: 16,383 columns are
// 64 KiB of address space and, for a program with a few threads, one page.
#pragma once

#include <cstddef>
#include <cstdint>

namespace deadheat::engine {

class ClockMemory {
 public:
  // count arrays of `length` clocks each, every array on a cache line of its own.
  ClockMemory(std::size_t count, std::size_t length);
  ~ClockMemory();
  ClockMemory(const ClockMemory&) = delete;
  ClockMemory& operator=(const ClockMemory&) = delete;

  std::uint32_t* array(std::size_t i) { return base_ + i * stride_; }

 private:
  std::uint32_t* base_ = nullptr;
  std::size_t stride_ = 0;  // in clocks
  std::size_t bytes_ = 0;
  bool mapped_ = false;
};

}  // namespace deadheat::engine
