// SPDX-License-Identifier: Apache-2.0
#include "agent/hidden_classes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "agent/class_rewriter.h"
#include "agent/site_name.h"
#include "tests/unit/classfile/class_builder.h"

namespace deadheat::agent {
namespace {

using classfile::Bytes;
using classfile::ClassBuilder;
using classfile::ClassFile;
using classfile::Member;

// What LambdaMetafactory makes: a final field, a constructor that writes it, a method that reads it.
Bytes lambda(std::string_view captured, std::uint16_t field_flags, std::string_view name = "T") {
  ClassBuilder builder;
  ClassFile& cls = builder.cls();
  cls.this_class = cls.pool.add_class(name);
  Member field;
  field.access_flags = field_flags;
  field.name = cls.pool.add_utf8("arg$1");
  field.descriptor = cls.pool.add_utf8(captured);
  cls.fields.push_back(field);
  const auto at = [](std::uint16_t index) {
    return std::pair{static_cast<std::uint8_t>(index >> 8), static_cast<std::uint8_t>(index)};
  };
  const auto [super_high, super_low] = at(cls.pool.add_method({"java/lang/Object", "<init>", "()V"}));
  const auto [field_high, field_low] = at(cls.pool.add_field({name, "arg$1", captured}));
  // aload_0, invokespecial, aload_0, aload_1, putfield, return
  builder.method(0, "<init>", "(Ljava/lang/Object;)V",
                 {0x2a, 0xb7, super_high, super_low, 0x2a, 0x2b, 0xb5, field_high, field_low, 0xb1});
  builder.method(0, "get", "()V", {0x2a, 0xb4, field_high, field_low, 0x57, 0xb1});  // aload_0, getfield, pop, return
  builder.method(0, "other", "()V", {0xb1});
  return builder.bytes();
}

// With nobody to share the tables with.
std::optional<Bytes> rewrite_hidden_class(const Bytes& bytes, bool from_jdk = false) {
  ClassTable classes;
  SiteTable sites;
  return HiddenClasses(classes, sites).rewrite(bytes, LoaderId{}, from_jdk);
}

constexpr std::uint16_t kPrivateFinal = classfile::kAccPrivate | classfile::kAccFinal;

// The opcodes of a method, without operands.
std::vector<classfile::Opcode> opcodes(ClassFile& cls, std::size_t method) {
  Result<classfile::Code> code = classfile::Code::parse(cls, cls.methods[method]);
  std::vector<classfile::Opcode> found;
  for (const classfile::InsnId at : code.value().originals()) found.push_back(code.value().at(at).opcode);
  return found;
}

TEST(HiddenClasses, ALambdaThatCapturedAnObjectIsFrozen) {
  using enum classfile::Opcode;
  const auto rewritten = rewrite_hidden_class(lambda("Lapp/Inner;", kPrivateFinal));
  ASSERT_TRUE(rewritten.has_value());
  Result<ClassFile> parsed = ClassFile::parse(*rewritten);
  ASSERT_TRUE(parsed.ok());
  ClassFile& cls = parsed.value();
  ASSERT_EQ(cls.fields.size(), 2u);
  EXPECT_EQ(cls.name_of(cls.fields[1]), kFreezeField);
  EXPECT_EQ(opcodes(cls, 0), (std::vector{aload_0, invokespecial, aload_0, aload_1, putfield, aload_0, invokestatic,
                                          putfield, return_}));
  EXPECT_EQ(opcodes(cls, 1), (std::vector{aload_0, dup, getfield, invokestatic, getfield, pop, return_}));
  EXPECT_EQ(opcodes(cls, 2), (std::vector{return_}));
}

// The VM puts the hidden class in place of its own entry of the pool, and of no other.
TEST(HiddenClasses, TheFreezeWordIsNamedThroughTheClassItself) {
  const auto rewritten = rewrite_hidden_class(lambda("Lapp/Inner;", kPrivateFinal));
  ASSERT_TRUE(rewritten.has_value());
  Result<ClassFile> parsed = ClassFile::parse(*rewritten);
  ASSERT_TRUE(parsed.ok());
  std::uint32_t named_t = 0;
  for (std::uint32_t i = 1; i < parsed.value().pool.size(); ++i) named_t += parsed.value().pool.class_name(i) == "T";
  EXPECT_EQ(named_t, 1u);
}

TEST(HiddenClasses, OthersAreLeftAlone) {
  EXPECT_FALSE(rewrite_hidden_class(lambda("Ljava/lang/String;", kPrivateFinal)));
  EXPECT_FALSE(rewrite_hidden_class(lambda("Lapp/Inner;", classfile::kAccPrivate)));
  EXPECT_FALSE(rewrite_hidden_class(lambda("Lapp/Inner;", kPrivateFinal, "java/lang/invoke/LambdaForm$MH")));
  EXPECT_FALSE(rewrite_hidden_class(Bytes{1, 2, 3}));
}

// A method reference that is not bound: get([I)V calls java.util.Arrays.sort.
Bytes reference_to_sort() {
  ClassBuilder builder;
  ClassFile& cls = builder.cls();
  cls.this_class = cls.pool.add_class("app/Main$$Lambda$14");
  const std::uint16_t sort = cls.pool.add_method({"java/util/Arrays", "sort", "([I)V"});
  builder.method(0, "get", "([I)V",
                 {0x2b, 0xb8, static_cast<std::uint8_t>(sort >> 8), static_cast<std::uint8_t>(sort), 0xb1});
  return builder.bytes();
}

TEST(HiddenClasses, CallsOfMethodReferencesAreHooked) {
  using enum classfile::Opcode;
  ClassTable classes;
  SiteTable sites;
  const auto rewritten = HiddenClasses(classes, sites).rewrite(reference_to_sort(), LoaderId{}, false);
  ASSERT_TRUE(rewritten.has_value());
  Result<ClassFile> parsed = ClassFile::parse(*rewritten);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(opcodes(parsed.value(), 0), (std::vector{aload_1, iconst_1, invokestatic, return_}));
  EXPECT_TRUE(parsed.value().fields.empty());
  ASSERT_EQ(sites.size(), 1u);
  EXPECT_EQ(sites.at(1).in->name, "app/Main$$Lambda");
  EXPECT_EQ(sites.at(1).in->methods[sites.at(1).method].name, "get");
}

// A method reference that is not bound: get(Object)V calls wait().
Bytes reference_to_wait() {
  ClassBuilder builder;
  ClassFile& cls = builder.cls();
  cls.this_class = cls.pool.add_class("app/Main$$Lambda$15");
  const std::uint16_t wait = cls.pool.add_method({"java/lang/Object", "wait", "()V"});
  builder.method(0, "get", "(Ljava/lang/Object;)V",
                 {0x2b, 0xb6, static_cast<std::uint8_t>(wait >> 8), static_cast<std::uint8_t>(wait), 0xb1});
  return builder.bytes();
}

TEST(HiddenClasses, TheSchedulerReplacesWhatMethodReferencesCall) {
  using enum classfile::Opcode;
  for (const Purpose purpose : {Purpose::kScheduler, Purpose::kBoth}) {
    ClassTable classes;
    SiteTable sites;
    const auto rewritten = HiddenClasses(classes, sites, purpose).rewrite(reference_to_wait(), LoaderId{}, false);
    ASSERT_TRUE(rewritten.has_value());
    Result<ClassFile> parsed = ClassFile::parse(*rewritten);
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(opcodes(parsed.value(), 0), (std::vector{aload_1, iconst_1, invokestatic, return_}));
    ASSERT_EQ(sites.size(), 1u);
    EXPECT_EQ(sites.at(1).stable, stable_site_number("app/Main$$Lambda.get(Ljava/lang/Object;)V@1"));
    EXPECT_FALSE(sites.at(1).silent);
  }
}

TEST(HiddenClasses, ElementsAreTheProgramsBusiness) {
  EXPECT_FALSE(rewrite_hidden_class(reference_to_sort(), /*from_jdk=*/true));
}

}  // namespace
}  // namespace deadheat::agent
