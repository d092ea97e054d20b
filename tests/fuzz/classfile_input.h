// SPDX-License-Identifier: Apache-2.0
//
// What the fuzzers of the class-file library share: small class files to start from, made here and not committed, and
// the path every input takes: parse, open the code, analyse, edit, write.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"

namespace deadheat::classfile {

struct Seed {
  const char* name;
  std::vector<std::uint8_t> bytes;
};

// Class files that between them hold every table, layout and frame form.
std::vector<Seed> seed_classes();

// Whatever the bytes, this returns. Checks on the way: what was parsed is written back as it was, and what an edit
// produced parses again. Answers whether the bytes were a class file.
bool exercise(ByteSpan bytes);

}  // namespace deadheat::classfile
