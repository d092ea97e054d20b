// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value, or an Error whose message names the cause and the next step. For what the user or the environment
// can get wrong; our own bugs are DH_CHECK's, and a limit reached is counted, not returned.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace deadheat {

struct Error {
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    DH_CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  T& value() & {
    DH_CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    DH_CHECK(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  const Error& error() const {
    DH_CHECK(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

// The result of work that yields nothing but success.
struct Ok {};
using Status = Result<Ok>;

}  // namespace deadheat
