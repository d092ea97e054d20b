// SPDX-License-Identifier: Apache-2.0
#include "agent/vm_flags.h"

#include <cstdint>
#include <string_view>

namespace deadheat::agent {

namespace {

struct InliningSetting {
  std::string_view name;
  std::int32_t value;
  std::int32_t with_many_points;
};

// Each hook is inlined whatever these say, so a method that C2 inlines brings several times the code it had: with the
// VM's limits (325 bytecodes, 2500 bytes of machine code) compiling took a third of the time of programs that run for
// seconds.
constexpr InliningSetting kInlining[] = {{"FreqInlineSize", 200, 60}, {"InlineSmallCode", 1000, 600}};

struct SurvivorSetting {
  std::string_view name;
  std::int32_t value;
};

// Half of what the young generation is, and nearly all of that; the VM's are an eighth, and half of it.
constexpr SurvivorSetting kSurvivors[] = {{"SurvivorRatio", 2}, {"TargetSurvivorRatio", 95}};

// The low half of an intx, whose default is small; should a later VM make it an int, nothing beside it is touched.
void set_value(char* flag, std::int32_t value) {
  std::atomic_ref(*reinterpret_cast<std::int32_t*>(flag)).store(value, std::memory_order_relaxed);
}

}  // namespace

void InliningLimits::start(const VmTables& vm) {
  for (const InliningSetting& setting : kInlining) {
    char* value = vm.value_by_default(setting.name);
    if (value == nullptr) continue;
    set_value(value, setting.value);
    limits_.push_back({value, setting.with_many_points});
  }
}

void InliningLimits::lower() {
  if (many_.exchange(true)) return;
  for (const Limit& limit : limits_) set_value(limit.value, limit.with_many_points);
}

void make_room_for_survivors(const VmTables& vm) {
  // Others divide their heap by these once and for all, and have less room for what is new then.
  if (!vm.is_on("UseG1GC")) return;
  for (const SurvivorSetting& setting : kSurvivors) {
    if (char* value = vm.value_by_default(setting.name)) set_value(value, setting.value);
  }
}

HashBits hash_bits(const VmTables& vm) {
  const auto hash = vm.long_constant("markWord::hash_mask_in_place");
  const auto lock = vm.long_constant("markWord::lock_mask_in_place");
  const auto unlocked = vm.long_constant("markWord::unlocked_value");
  const auto shift = vm.long_constant("markWord::hash_shift");
  // With biased locking the bits of the hash may be those of an owner.
  if (!hash || !lock || !unlocked || !shift || vm.is_on("UseBiasedLocking")) return {};
  return {*hash | *lock, *unlocked, *shift, *hash >> *shift};
}

}  // namespace deadheat::agent
