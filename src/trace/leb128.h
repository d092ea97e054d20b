// SPDX-License-Identifier: Apache-2.0
//
// Numbers of a binary trace as bytes: seven bits each, low ones first, the top bit set in all but the last. At most
// ten.
#pragma once

#include <cstdint>

namespace deadheat::trace {

inline char* put_number(char* at, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(value | 0x80);
  *at++ = static_cast<char>(value);
  return at;
}

// Small differences in either direction become small numbers.
inline char* put_difference(char* at, std::uint64_t value, std::uint64_t from) {
  const std::uint64_t difference = value - from;
  return put_number(at, difference << 1 ^ (difference >> 63 != 0 ? ~std::uint64_t{0} : 0));
}

}  // namespace deadheat::trace
