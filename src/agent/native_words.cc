// SPDX-License-Identifier: Apache-2.0
#include "agent/native_words.h"

#include <sys/mman.h>

#include "base/check.h"

namespace deadheat::agent {

namespace {

void* reserve(std::size_t size) {
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  DH_CHECK(memory != MAP_FAILED);
  return memory;
}

}  // namespace

NativeWords::NativeWords()
    : statics_(static_cast<StaticRecord*>(reserve(kMaxStatics * sizeof(StaticRecord)))),
      init_words_(static_cast<std::uint64_t*>(reserve(kMaxInits * sizeof(std::uint64_t)))) {
  init_words_[kHiddenFinalizable] = 1;
}

NativeWords::~NativeWords() {
  munmap(statics_, kMaxStatics * sizeof(StaticRecord));
  munmap(init_words_, kMaxInits * sizeof(std::uint64_t));
}

StaticRecord* NativeWords::add_static(std::uint32_t init) {
  const std::size_t number = next_static_.fetch_add(1, std::memory_order_relaxed);
  if (number >= kMaxStatics) return nullptr;
  statics_[number].init = init_words_ + init;
  return statics_ + number;
}

std::uint32_t NativeWords::add_init() {
  const std::size_t number = next_init_.fetch_add(1, std::memory_order_relaxed);
  return number < kMaxInits ? static_cast<std::uint32_t>(number) : 0;
}

}  // namespace deadheat::agent
