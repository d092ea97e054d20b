// SPDX-License-Identifier: Apache-2.0
//
// trace_seeds DIR: writes the seed corpus of trace_fuzz.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/trace_input.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: trace_seeds DIR\n");
    return 2;
  }
  std::filesystem::create_directories(argv[1]);
  for (const deadheat::trace::Seed& seed : deadheat::trace::seed_traces()) {
    std::ofstream out(std::filesystem::path(argv[1]) / seed.name, std::ios::binary);
    out.write(seed.bytes.data(), static_cast<std::streamsize>(seed.bytes.size()));
    if (!out) return 1;
  }
  return 0;
}
