// SPDX-License-Identifier: Apache-2.0
//
// How many different variables a recorded run has accessed: nobody else has to know each of them (trace/access_key.h).
// One bit each, those of one object or array side by side, so that going through an array stays within few words.
// One thread at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/number_map.h"
#include "trace/access_key.h"

namespace deadheat::agent {

class VariableTally {
 public:
  void add(const trace::AccessKey& variable) {
    const std::uint32_t word = variable.part / kBits;
    if (word != last_word_ || variable.object != last_object_) find(variable.object, word);
    mark(*bits_, std::uint64_t{1} << variable.part % kBits);
  }
  // `count` elements from that one on.
  void add_range(const trace::AccessKey& first, std::uint32_t count);
  std::uint64_t count() const { return count_; }

 private:
  static constexpr std::uint32_t kBits = 64;

  void find(std::uint32_t object, std::uint32_t word);
  void mark(std::uint64_t& bits, std::uint64_t wanted) {
    const std::uint64_t fresh = wanted & ~bits;
    if (fresh == 0) return;
    bits |= fresh;
    count_ += static_cast<std::uint64_t>(std::popcount(fresh));
  }

  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(1);
  NumberMap<std::uint32_t> places_;  // by object and word of its parts: where in words_
  std::uint64_t count_ = 0;
  // Of the last access; bits_ is null or points into words_, which moves only in find().
  std::uint32_t last_object_ = 0;
  std::uint32_t last_word_ = ~0u;
  std::uint64_t* bits_ = nullptr;
};

}  // namespace deadheat::agent
