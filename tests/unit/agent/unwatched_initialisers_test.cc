// SPDX-License-Identifier: Apache-2.0
#include "agent/unwatched_initialisers.h"

#include <gtest/gtest.h>

#include <string_view>

#include "agent/embedded_classes.h"

namespace deadheat::agent {
namespace {

using classfile::ClassFile;

// A class of the shim under another name, wrapped: whether it was changed, and whether it calls the gate since.
struct Wrapped {
  bool changed = false;
  bool has_hook = false;
};

Wrapped wrapped(std::string_view shim_class, std::string_view name) {
  for (const EmbeddedClass& embedded : embedded_classes()) {
    Result<ClassFile> parsed = ClassFile::parse(ByteSpan(embedded.begin, embedded.end));
    if (!parsed.ok() || parsed.value().name() != shim_class) continue;
    ClassFile& cls = parsed.value();
    cls.this_class = cls.pool.add_class(name);
    Wrapped result{wrap_unwatched_initialiser(cls)};
    for (std::uint32_t i = 1; i < cls.pool.size(); ++i) {
      result.has_hook |= cls.pool.utf8(i).value_or("") == "enterUnscheduled";
    }
    return result;
  }
  ADD_FAILURE() << "no class " << shim_class;
  return {};
}

TEST(UnwatchedInitialisers, GetARegionInTheClassesThatCallWatchedCode) {
  for (const char* name : {"java/lang/invoke/Some", "jdk/internal/reflect/Some"}) {
    const Wrapped result = wrapped("java/lang/DeadheatVm", name);
    EXPECT_TRUE(result.changed) << name;
    EXPECT_TRUE(result.has_hook) << name;
  }
}

TEST(UnwatchedInitialisers, OthersAndClassesWithoutOneStayAsTheyWere) {
  EXPECT_FALSE(wrapped("java/lang/DeadheatVm", "java/lang/Some").changed);
  EXPECT_FALSE(wrapped("java/lang/DeadheatContext", "java/lang/invoke/Some").changed);
}

}  // namespace
}  // namespace deadheat::agent
