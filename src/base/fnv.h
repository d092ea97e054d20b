// SPDX-License-Identifier: Apache-2.0
//
// 64-bit FNV-1a: tells damaged or changed bytes apart from the same ones. No defence against intent.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.h"

namespace deadheat {

class Fnv64 {
 public:
  void add(ByteSpan bytes) {
    for (const std::uint8_t byte : bytes) hash_ = (hash_ ^ byte) * 0x100000001b3;
  }
  void add(std::string_view text) { add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}); }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace deadheat
