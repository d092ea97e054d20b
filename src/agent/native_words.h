// SPDX-License-Identifier: Apache-2.0
//
// Words that live in native memory at addresses the shim knows: those of static fields and of class initialisers.
// Address space is reserved once and touched as it is used; an address never moves. Any thread may add.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/shim_layout.h"

namespace deadheat::agent {

class NativeWords {
 public:
  NativeWords();
  ~NativeWords();
  NativeWords(const NativeWords&) = delete;
  NativeWords& operator=(const NativeWords&) = delete;

  // Null when all are taken: the field is then not watched, and counted by the caller.
  StaticRecord* add_static(std::uint32_t init);
  // The number of a new init word; 0 (a word that always stays 0) when all are taken.
  std::uint32_t add_init();
  std::uint64_t* init_words() const { return init_words_; }

 private:
  static constexpr std::size_t kMaxStatics = 1 << 21;
  static constexpr std::size_t kMaxInits = 1 << 20;

  StaticRecord* statics_;
  std::uint64_t* init_words_;
  std::atomic<std::size_t> next_static_{0};
  std::atomic<std::size_t> next_init_{kHiddenFinalizable + 1};
};

}  // namespace deadheat::agent
