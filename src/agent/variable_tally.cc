// SPDX-License-Identifier: Apache-2.0
#include "agent/variable_tally.h"

#include <algorithm>

namespace deadheat::agent {

void VariableTally::find(std::uint32_t object, std::uint32_t word) {
  std::uint32_t& place = places_[std::uint64_t{object} << 32 | word];
  if (place == 0) {
    place = static_cast<std::uint32_t>(words_.size());
    words_.push_back(0);
  }
  bits_ = &words_[place];
  last_object_ = object;
  last_word_ = word;
}

void VariableTally::add_range(const trace::AccessKey& first, std::uint32_t count) {
  for (std::uint64_t at = first.part, end = at + count; at < end;) {
    const std::uint64_t next = std::min(end, (at / kBits + 1) * kBits);
    const std::uint64_t size = next - at;
    find(first.object, static_cast<std::uint32_t>(at / kBits));
    mark(*bits_, (size == kBits ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1) << at % kBits);
    at = next;
  }
}

}  // namespace deadheat::agent
