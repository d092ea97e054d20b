// SPDX-License-Identifier: Apache-2.0
#include "agent/special_methods.h"

#include <gtest/gtest.h>

namespace deadheat::agent {
namespace {

// A class file without members: magic, version, a pool with its own name and java/lang/Object's.
std::vector<std::uint8_t> empty_class(std::string_view name) {
  ByteWriter out;
  out.u4(0xcafebabe);
  out.u4(61);
  out.u2(5);
  for (const std::string_view text : {name, std::string_view("java/lang/Object")}) {
    out.u1(1);
    out.u2(static_cast<std::uint32_t>(text.size()));
    out.put(text);
  }
  for (const std::uint32_t index : {1u, 2u}) {
    out.u1(7);
    out.u2(index);
  }
  for (const std::uint32_t field : {0x21u, 3u, 4u, 0u, 0u, 0u, 0u}) out.u2(field);
  return out.release();
}

TEST(SpecialMethods, AClassWithoutThemIsUntouched) {
  for (const char* name : {"app/Main", "java/lang/VirtualThread"}) {
    const std::vector<std::uint8_t> bytes = empty_class(name);
    Result<classfile::ClassFile> cls = classfile::ClassFile::parse(bytes);
    ASSERT_TRUE(cls.ok()) << cls.error().message;
    EXPECT_FALSE(hook_special_methods(cls.value())) << name;
    EXPECT_EQ(cls.value().write(), bytes) << name;
  }
}

}  // namespace
}  // namespace deadheat::agent
