// SPDX-License-Identifier: Apache-2.0
//
// The seeded poor man's fuzzer that runs in every test run: thousands of damaged class files, none may crash anything.
#include <gtest/gtest.h>

#include "base/random.h"
#include "classfile/class_file.h"
#include "classfile/code.h"
#include "tests/fuzz/classfile_input.h"

namespace deadheat::classfile {
namespace {

constexpr int kRounds = 20000;
constexpr std::uint64_t kSeed = 20260101;

void damage(std::vector<std::uint8_t>& bytes, Random& random) {
  constexpr std::uint8_t kEdges[] = {0, 1, 0x7f, 0x80, 0xff};
  for (std::uint32_t count = 1 + random.below(4); count > 0; --count) {
    std::uint32_t at = random.below(static_cast<std::uint32_t>(bytes.size()));
    switch (random.below(4)) {
      case 0:
        bytes[at] = static_cast<std::uint8_t>(random.next());
        break;
      case 1:
        bytes[at] = kEdges[random.below(std::size(kEdges))];
        break;
      case 2:
        bytes[at] ^= static_cast<std::uint8_t>(1 << random.below(8));
        break;
      default:
        bytes[at] = static_cast<std::uint8_t>(bytes[at] + 1);
        break;
    }
  }
  if (random.one_in(16)) bytes.resize(random.below(static_cast<std::uint32_t>(bytes.size())));
}

TEST(ClassFileMutation, SeedsAreWhole) {
  for (const Seed& seed : seed_classes()) {
    ASSERT_TRUE(exercise(seed.bytes)) << seed.name;
    ClassFile cls = ClassFile::parse(seed.bytes).value();
    for (const Member& method : cls.methods) {
      Result<Code> code = Code::parse(cls, method);
      EXPECT_TRUE(code.ok()) << code.error().message;
    }
  }
}

TEST(ClassFileMutation, DamagedClassesNeverCrash) {
  std::vector<Seed> seeds = seed_classes();
  Random random(kSeed);
  int parsed = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::uint8_t> bytes = seeds[random.below(static_cast<std::uint32_t>(seeds.size()))].bytes;
    damage(bytes, random);
    if (exercise(bytes)) ++parsed;
  }
  // Most damage hits something the parser need not understand; if hardly any parsed, the deeper layers saw nothing.
  EXPECT_GT(parsed, kRounds / 4);
}

}  // namespace
}  // namespace deadheat::classfile
