// SPDX-License-Identifier: Apache-2.0
//
// What the fuzzers of the trace readers share: traces to start from, and the path every input takes: read, check, write
// in each format, slice, lower.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deadheat::trace {

struct Seed {
  const char* name;
  std::string bytes;
};

// A trace with every operation, as text and as binary.
std::vector<Seed> seed_traces();

// Whatever the bytes, this returns. Checks on the way: what was read without a problem comes back from both formats as
// it was, and what is made from a trace that keeps the rules keeps them. Answers whether the bytes were a trace.
bool exercise(std::string_view bytes);

}  // namespace deadheat::trace
