// SPDX-License-Identifier: Apache-2.0
//
// From a file to a Trace, whatever its format: told by its first bytes, never by its name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/problem.h"
#include "trace/trace.h"

namespace deadheat::trace {

enum class Format : std::uint8_t { kText, kBinary };

struct Loaded {
  Trace trace;
  Format format = Format::kText;
  std::uint64_t bytes = 0;         // of the file
  Problems problems;               // what could not be read; the trace is then not to be trusted
  std::vector<std::string> notes;  // what the user should know though the trace is good: a torn tail
};

// An error is one of the environment (no such file). "-" is the standard input.
Result<Loaded> load(const std::string& path, std::size_t most_problems = 20);

// The same for bytes in memory.
Loaded load_bytes(std::string_view bytes);

}  // namespace deadheat::trace
