// SPDX-License-Identifier: Apache-2.0
#include "agent/initialisers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "agent/embedded_classes.h"

namespace deadheat::agent {
namespace {

using classfile::ClassFile;

std::optional<std::vector<std::string>> used_by(std::string_view name) {
  for (const EmbeddedClass& embedded : embedded_classes()) {
    const Result<ClassFile> cls = ClassFile::parse(ByteSpan(embedded.begin, embedded.end));
    if (cls.ok() && cls.value().name() == name) return used_by_initialiser(cls.value());
  }
  return std::nullopt;
}

TEST(Initialisers, NamesTheClassesThatTheInitialiserCalls) {
  const auto used = used_by("java/lang/DeadheatVm");
  ASSERT_TRUE(used);
  EXPECT_NE(std::find(used->begin(), used->end(), "jdk/internal/misc/Unsafe"), used->end());
}

TEST(Initialisers, AClassWithoutOneCallsNothing) {
  const auto used = used_by("java/lang/DeadheatContext");
  ASSERT_TRUE(used);
  EXPECT_TRUE(used->empty());
}

}  // namespace
}  // namespace deadheat::agent
