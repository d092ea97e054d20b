// SPDX-License-Identifier: Apache-2.0
//
// Whose initialiser a class inherits: that of its nearest superclass with one. Superclasses are not known when a class
// is rewritten, so its init word (shim_layout.h) names the class until somebody looks. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "agent/class_table.h"
#include "agent/shim_layout.h"

namespace deadheat::agent {

inline bool inherits_init(std::uint64_t& word) {
  const std::uint64_t kind = std::atomic_ref(word).load(std::memory_order_relaxed) >> kInitShift;
  return kind == kInitInherits || kind == kInitAlias;
}

// The number of the class that the word is of, while nobody has looked.
inline std::optional<std::uint32_t> heir_of(std::uint64_t& word) {
  const std::uint64_t now = std::atomic_ref(word).load(std::memory_order_relaxed);
  return now >> kInitShift == kInitInherits ? std::optional(static_cast<std::uint32_t>(now)) : std::nullopt;
}

// Looks, if nobody has, and keeps the answer in the word; what the word is then.
std::uint64_t resolve_inherited_init(std::uint64_t& word, const ClassTable& classes);

}  // namespace deadheat::agent
