// SPDX-License-Identifier: Apache-2.0
//
// The libFuzzer target: trace_fuzz CORPUS. trace_seeds CORPUS writes the traces to start from.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/trace_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  deadheat::trace::exercise({reinterpret_cast<const char*>(data), size});
  return 0;
}
