// SPDX-License-Identifier: Apache-2.0
//
// classfile_seeds DIR: writes the seed corpus of classfile_fuzz. DIR/old is a valid class T with jsr, ret and wide.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/classfile_input.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: classfile_seeds DIR\n");
    return 2;
  }
  std::filesystem::create_directories(argv[1]);
  for (const deadheat::classfile::Seed& seed : deadheat::classfile::seed_classes()) {
    std::ofstream out(std::filesystem::path(argv[1]) / seed.name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(seed.bytes.data()), static_cast<std::streamsize>(seed.bytes.size()));
    if (!out) return 1;
  }
  return 0;
}
