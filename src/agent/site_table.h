// SPDX-License-Identifier: Apache-2.0
//
// The places in rewritten code that call a hook, by the number that is in the bytecode and in shadow words. Numbers
// start at 1 and are never reused; when they run out, further points are left alone and counted. Any thread may add;
// reading takes no lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "agent/shim_layout.h"
#include "engine/shadow_word.h"

namespace deadheat::agent {

struct ClassInfo;

// A field as named by one class: resolved once for all its sites in that class.
struct FieldUse {
  const ClassInfo* user = nullptr;
  std::string owner;
  std::string name;
  std::string descriptor;
  std::atomic<std::int64_t> where{0};  // the encoded answer, 0 until resolved
  // Under the scheduler, of a resolved static field of a class with an initialiser: leads to its init word.
  std::atomic<const StaticRecord*> record{nullptr};
};

enum class PlainAccess : std::uint8_t { kNone, kRead, kWrite };

struct Site {
  const ClassInfo* in = nullptr;
  FieldUse* field = nullptr;  // null for arrays and calls
  std::uint16_t method = 0;   // index in ClassInfo::methods
  std::uint16_t bytecode_index = 0;
  std::uint16_t line = 0;
  bool is_static = false;
  bool sync_only = false;                   // plain fields are not watched here
  bool silent = false;                      // scheduler: no switch is offered here
  bool is_unit = false;                     // trace: of a method that is meant to be atomic
  bool is_told = false;                     // trace: of a method whose begin and end are told
  PlainAccess access = PlainAccess::kNone;  // scheduler: by a field's or element's instruction
  std::uint32_t stable = 0;                 // scheduler: stable_site_number()
};

// The number of the method that the site is in, among those of all classes.
std::uint32_t method_of(const Site& site);

class SiteTable {
 public:
  // 0 when all numbers are taken.
  std::uint32_t add(const Site& site) { return add(site, next_, kFirstWay); }
  // A site whose accesses are atomic: of the numbers that the engine knows as such.
  std::uint32_t add_atomic(const Site& site) { return add(site, next_atomic_, engine::kMaxSite + 1); }
  const Site& at(std::uint32_t number) const {
    return chunks_[number >> kChunkBits].load(std::memory_order_acquire)[number & kChunkMask];
  }
  bool contains(std::uint32_t number) const {
    if (number >= engine::kFirstAtomicSite) return number < next_atomic_.load(std::memory_order_acquire);
    return number != 0 && number < next_.load(std::memory_order_acquire);
  }
  std::uint32_t size() const { return next_.load(std::memory_order_acquire) - 1; }
  std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }
  ~SiteTable();

 private:
  static constexpr std::uint32_t kChunkBits = 12;
  static constexpr std::uint32_t kChunkMask = (1u << kChunkBits) - 1;

  std::uint32_t add(const Site& site, std::atomic<std::uint32_t>& next, std::uint32_t end);

  std::mutex mutex_;  // adding
  std::atomic<std::uint32_t> next_{1};
  std::atomic<std::uint32_t> next_atomic_{engine::kFirstAtomicSite};
  std::atomic<std::uint64_t> refused_{0};
  std::array<std::atomic<Site*>, ((engine::kMaxSite + 1) >> kChunkBits)> chunks_{};
};

}  // namespace deadheat::agent
