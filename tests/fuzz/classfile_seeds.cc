// SPDX-License-Identifier: Apache-2.0
//
// classfile_seeds DIR: writes the seed corpus of classfile_fuzz.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/fuzz/classfile_input.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: classfile_seeds DIR\n");
    return 2;
  }
  std::filesystem::create_directories(argv[1]);
  int number = 0;
  for (const std::vector<std::uint8_t>& bytes : deadheat::classfile::seed_classes()) {
    std::ofstream out(std::filesystem::path(argv[1]) / ("seed" + std::to_string(number++)), std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!out) return 1;
  }
  return 0;
}
