// SPDX-License-Identifier: Apache-2.0
//
// The libFuzzer target: classfile_fuzz CORPUS. classfile_seeds CORPUS writes the class files to start from.
#include "tests/fuzz/classfile_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  deadheat::classfile::exercise({data, size});
  return 0;
}
