// SPDX-License-Identifier: Apache-2.0
#include "agent/embedded_classes.h"

#include <gtest/gtest.h>

#include <string>

#include "classfile/class_file.h"

namespace deadheat::agent {
namespace {

using classfile::ClassFile;
using classfile::Member;

// Whether the annotation is there; none of ours has elements, so each is four bytes: its type and a zero.
bool is_hidden(const ClassFile& cls, const Member& method) {
  const classfile::Attribute* annotations = cls.find(method.attributes, "RuntimeVisibleAnnotations");
  if (annotations == nullptr) return false;
  for (std::size_t at = 2; at + 4 <= annotations->bytes.size(); at += 4) {
    const auto type = static_cast<std::uint16_t>(annotations->bytes[at] << 8 | annotations->bytes[at + 1]);
    if (cls.pool.utf8(type).value_or("") == "Ljdk/internal/vm/annotation/Hidden;") return true;
  }
  return false;
}

// What runs before the host does, or never.
bool may_be_seen(const ClassFile& cls, const Member& method) {
  if (cls.name() == "java/lang/DeadheatBoot" || cls.name_of(method) == "<clinit>") return true;
  return cls.name_of(method) == "<init>" && cls.descriptor_of(method) == "()V" && method.has(classfile::kAccPrivate);
}

// A stack overflow can show any method of ours that was called last, natives and constructors too.
TEST(Shim, NoMethodShowsInStackTraces) {
  int methods = 0;
  for (const EmbeddedClass& embedded : embedded_classes()) {
    const Result<ClassFile> cls = ClassFile::parse(ByteSpan(embedded.begin, embedded.end));
    ASSERT_TRUE(cls.ok()) << embedded.name;
    for (const Member& method : cls.value().methods) {
      ++methods;
      EXPECT_TRUE(may_be_seen(cls.value(), method) || is_hidden(cls.value(), method))
          << embedded.name << "." << cls.value().name_of(method) << cls.value().descriptor_of(method);
    }
  }
  EXPECT_GT(methods, 100);
}

}  // namespace
}  // namespace deadheat::agent
