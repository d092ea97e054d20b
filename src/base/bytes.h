// SPDX-License-Identifier: Apache-2.0
//
// Big-endian byte reader and writer for untrusted input. A ByteReader never reads out of bounds: the first read past
// the end makes it fail for good (sticky), every later read yields zero, and the caller asks failed() once at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace deadheat {

using ByteSpan = std::span<const std::uint8_t>;

class ByteReader {
 public:
  explicit ByteReader(ByteSpan bytes) : bytes_(bytes) {}

  std::uint8_t u1() { return static_cast<std::uint8_t>(big_endian<1>()); }
  std::uint16_t u2() { return static_cast<std::uint16_t>(big_endian<2>()); }
  std::uint32_t u4() { return static_cast<std::uint32_t>(big_endian<4>()); }
  std::uint64_t u8() { return big_endian<8>(); }
  ByteSpan take(std::size_t count) {
    if (!has(count)) return {};
    ByteSpan part = bytes_.subspan(position_, count);
    position_ += count;
    return part;
  }
  void skip(std::size_t count) { take(count); }

  std::size_t position() const { return position_; }
  std::size_t remaining() const { return failed_ ? 0 : bytes_.size() - position_; }
  bool failed() const { return failed_; }
  bool at_end() const { return !failed_ && position_ == bytes_.size(); }
  // Marks the input as bad for a reason of the caller's own.
  void fail() { failed_ = true; }

 private:
  bool has(std::size_t count) {
    if (failed_ || bytes_.size() - position_ < count) failed_ = true;
    return !failed_;
  }
  template <int kWidth>
  std::uint64_t big_endian() {
    if (!has(kWidth)) return 0;
    std::uint64_t value = 0;
    for (int i = 0; i < kWidth; ++i) value = value << 8 | bytes_[position_ + i];
    position_ += kWidth;
    return value;
  }

  ByteSpan bytes_;
  std::size_t position_ = 0;
  bool failed_ = false;
};

class ByteWriter {
 public:
  void u1(std::uint32_t value) { bytes_.push_back(static_cast<std::uint8_t>(value)); }
  void u2(std::uint32_t value) {
    const std::uint8_t bytes[] = {static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
    put(bytes);
  }
  void u4(std::uint32_t value) {
    const std::uint8_t bytes[] = {static_cast<std::uint8_t>(value >> 24), static_cast<std::uint8_t>(value >> 16),
                                  static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
    put(bytes);
  }
  void u8(std::uint64_t value) {
    u4(static_cast<std::uint32_t>(value >> 32));
    u4(static_cast<std::uint32_t>(value));
  }
  void put(ByteSpan bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void put(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
  // Overwrites four (two) bytes written before, for lengths known only afterwards.
  void patch_u4(std::size_t at, std::uint32_t value) {
    patch_u2(at, value >> 16);
    patch_u2(at + 2, value);
  }
  void patch_u2(std::size_t at, std::uint32_t value) {
    bytes_[at] = static_cast<std::uint8_t>(value >> 8);
    bytes_[at + 1] = static_cast<std::uint8_t>(value);
  }
  void reserve(std::size_t size) { bytes_.reserve(size); }

  std::size_t size() const { return bytes_.size(); }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  std::vector<std::uint8_t> release() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace deadheat
