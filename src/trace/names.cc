// SPDX-License-Identifier: Apache-2.0
#include "trace/names.h"

#include <algorithm>
#include <cstring>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace deadheat::trace {
namespace {

constexpr std::size_t kFirstSlots = 64;
constexpr std::uint32_t kNoDecimal = ~std::uint32_t{0};
// decimals_ may always be this long, and longer in proportion to the names there are: a few huge numbers cost no
// memory.
constexpr std::uint32_t kFreeDecimals = 4096;
constexpr std::uint32_t kDecimalsPerName = 8;

std::uint32_t load4(const char* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, 4);
  return value;
}

std::uint64_t load8(const char* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, 8);
  return value;
}

// Different for every two names of one length up to eight.
std::uint64_t word_of(std::string_view name) {
  const char* at = name.data();
  const std::size_t size = name.size();
  if (size > 8) return XXH3_64bits(at, size);
  if (size == 8) return load8(at);
  if (size >= 4) return load4(at) | std::uint64_t{load4(at + size - 4)} << 32;
  const auto byte = [at](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(at[i])}; };
  return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
}

std::size_t start_of(std::uint64_t word, std::size_t length, std::size_t mask) {
  const std::uint64_t mixed = (word ^ length) * 0x9e3779b97f4a7c15;
  return static_cast<std::size_t>(mixed ^ mixed >> 32) & mask;
}

// The value of a number written as numbers are written: no sign, no leading zero, at most eight digits.
std::uint32_t decimal_value(std::string_view name) {
  if (name.size() > 8 || (name[0] == '0' && name.size() > 1)) return kNoDecimal;
  std::uint32_t value = 0;
  for (const char digit : name) {
    if (digit < '0' || digit > '9') return kNoDecimal;
    value = value * 10 + static_cast<std::uint32_t>(digit - '0');
  }
  return value;
}

}  // namespace

Names::Names() : slots_(kFirstSlots) { texts_.emplace_back(); }

std::uint32_t Names::append(std::string_view name) {
  texts_.emplace_back(name);
  return size();
}

std::uint32_t Names::add_untold(std::string name) {
  texts_.push_back(std::move(name));
  return size();
}

std::size_t Names::slot_of(std::string_view name, std::uint64_t word) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = start_of(word, name.size(), mask);; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.number == 0) return at;
    if (slot.word == word && slot.length == name.size() && (name.size() <= 8 || texts_[slot.number] == name)) return at;
  }
}

std::uint32_t Names::number(std::string_view name) {
  if (name.empty()) return 0;
  const std::uint32_t value = decimal_value(name);
  if (value < decimals_.size() && decimals_[value] != 0) return decimals_[value];
  const std::uint64_t word = word_of(name);
  std::size_t at = slot_of(name, word);
  if (slots_[at].number != 0) return slots_[at].number;
  if (value != kNoDecimal && value < kFreeDecimals + std::size_t{kDecimalsPerName} * size()) {
    if (value >= decimals_.size()) decimals_.resize(std::max<std::size_t>(value + 1, decimals_.size() * 2));
    return decimals_[value] = append(name);
  }
  if (++in_slots_ * std::size_t{2} > slots_.size()) {
    grow();
    at = slot_of(name, word);
  }
  const std::uint32_t number = append(name);
  slots_[at] = {word, static_cast<std::uint32_t>(name.size()), number};
  return number;
}

std::uint32_t Names::find(std::string_view name) const {
  if (name.empty()) return 0;
  const std::uint32_t value = decimal_value(name);
  if (value < decimals_.size() && decimals_[value] != 0) return decimals_[value];
  return slots_[slot_of(name, word_of(name))].number;
}

void Names::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number == 0) continue;
    std::size_t at = start_of(slot.word, slot.length, mask);
    while (slots_[at].number != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace deadheat::trace
