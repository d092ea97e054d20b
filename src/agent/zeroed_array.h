// SPDX-License-Identifier: Apache-2.0
//
// A large table that begins as zeros and whose pages cost memory only once they are used; it never moves.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <type_traits>

#include "base/check.h"

namespace deadheat::agent {

template <typename T>
class ZeroedArray {
  static_assert(std::is_trivial_v<T>);

 public:
  explicit ZeroedArray(std::size_t size) : data_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    DH_CHECK(data_ != nullptr);
  }
  ~ZeroedArray() { std::free(data_); }
  ZeroedArray(const ZeroedArray&) = delete;
  ZeroedArray& operator=(const ZeroedArray&) = delete;

  T* get() const { return data_; }

 private:
  T* const data_;
};

}  // namespace deadheat::agent
