// SPDX-License-Identifier: Apache-2.0
//
// Methods whose begin and end are in a recorded trace: those that are meant to be atomic, beside the synchronized ones,
// and those that the user wants to see there. Patterns are a.b.C.method, with '*' for any text.
#pragma once

#include <string>
#include <vector>

namespace deadheat::agent {

struct MarkedMethods {
  std::vector<std::string> atomic;
  bool all_public_atomic = false;  // of the program: every public method but main and run
  std::vector<std::string> told;
  bool any() const { return all_public_atomic || !atomic.empty() || !told.empty(); }
};

}  // namespace deadheat::agent
