// SPDX-License-Identifier: Apache-2.0
//
// Which hooks the accesses of a method get, in order.
#include <gtest/gtest.h>

#include <string>

#include "classfile/instrumenter.h"
#include "tests/unit/classfile/class_builder.h"

namespace deadheat::classfile {
namespace {

constexpr std::uint8_t kAload0 = 0x2a, kAload1 = 0x2b, kIload2 = 0x1c, kIconst1 = 0x04, kDup = 0x59, kDup2 = 0x5c,
                       kIadd = 0x60, kIdiv = 0x6c, kPop = 0x57, kReturn = 0xb1, kIfeq = 0x99, kGoto = 0xa7,
                       kIaload = 0x2e, kIastore = 0x4f, kAstore2 = 0x4d, kAload2 = 0x2c;

// Fields of T are known to be plain, but for "v", which is volatile; fields of other classes may be anything.
class Guide final : public PointGuide {
 public:
  std::uint32_t site(const Point& point) override { return 1000 + point.bytecode_index; }
  bool may_order(const MemberRef& field) override { return field.owner != "T" || field.name == "v"; }
  bool is_quiet_call(const MemberRef& method) override { return method.name == "quiet"; }
  void skipped(std::uint32_t, std::string_view reason) override { ADD_FAILURE() << reason; }
};

Plan plan() {
  Plan plan;
  plan.field_read = {"H", "read", "(Ljava/lang/Object;I)V"};
  plan.field_write = {"H", "write", "(Ljava/lang/Object;I)V"};
  plan.field_read_again = {"H", "read-again", "(Ljava/lang/Object;I)V"};
  plan.field_write_again = {"H", "write-again", "(Ljava/lang/Object;I)V"};
  plan.field_update = {"H", "update", "(Ljava/lang/Object;I)V"};
  plan.static_read = {"H", "static-read", "(I)V"};
  plan.static_write = {"H", "static-write", "(I)V"};
  plan.array_read = {"H", "array-read", "(Ljava/lang/Object;IILjava/lang/Object;)Ljava/lang/Object;"};
  plan.array_write = {"H", "array-write", "(Ljava/lang/Object;IILjava/lang/Object;)Ljava/lang/Object;"};
  plan.array_known = {"H", "known", "(Ljava/lang/Object;Ljava/lang/Object;ILjava/lang/Object;)Ljava/lang/Object;"};
  return plan;
}

// A method m(int[], int) of T, put together from accesses of fields. Version 49: no frames to declare.
class Method {
 public:
  Method& op(std::initializer_list<std::uint8_t> bytes) { return code_.insert(code_.end(), bytes), *this; }
  Method& get(const char* field) { return op({kAload0}).member(0xb4, "T", field).op({kPop}); }
  Method& put(const char* field) { return op({kAload0, kIconst1}).member(0xb5, "T", field); }
  Method& get_foreign(const char* field) { return op({kAload0}).member(0xb4, "X", field).op({kPop}); }
  Method& put_foreign(const char* field) { return op({kAload0, kIconst1}).member(0xb5, "X", field); }
  Method& member(std::uint8_t opcode, const char* owner, const char* field) {
    return index(opcode, builder_.pool().add_field({owner, field, "I"}));
  }
  Method& get_array(const char* field) { return op({kAload0}).array_member(field); }
  Method& array_member(const char* field) { return index(0xb4, builder_.pool().add_field({"T", field, "[I"})); }
  Method& element() { return op({kIconst1, kIaload, kPop}); }
  Method& array_of(const char* type) { return op({kIconst1}).index(0xbd, builder_.pool().add_class(type)).op({kPop}); }
  Method& call(const char* name) { return index(0xb8, builder_.pool().add_method({"X", name, "()V"})); }
  // this.field = this.field ⊕ 1, with `between` in front of the sum.
  Method& update(const char* owner, const char* field, std::initializer_list<std::uint8_t> between = {}) {
    return op({kAload0, kDup}).member(0xb4, owner, field).op(between).op({kIconst1, kIadd}).member(0xb5, owner, field);
  }

  Method& knows_arrays() { return knows_arrays_ = true, *this; }

  // The hooks, with a space between.
  std::string hooks() {
    op({kReturn});
    builder_.stack(8).locals(3).method(0, "m", "([II)V", code_);
    Guide guide;
    InstrumentOptions options;
    options.known_arrays = knows_arrays_;
    instrument(builder_.cls(), plan_, options, guide);
    std::string all;
    const Code code = builder_.code().value();
    for (const InsnId at : code.originals()) {
      if (code.at(at).opcode != Opcode::invokestatic) continue;
      const auto hook = builder_.pool().member(code.at(at).index());
      if (hook && hook->owner == "H") all += (all.empty() ? "" : " ") + std::string(hook->name);
    }
    return all;
  }

 private:
  Method& index(std::uint8_t opcode, std::uint16_t index) {
    return op({opcode, static_cast<std::uint8_t>(index >> 8), static_cast<std::uint8_t>(index)});
  }
  ClassBuilder builder_{49};
  bool knows_arrays_ = false;
  Bytes code_;
  const Plan plan_ = plan();
};

TEST(AccessChecks, APlainFieldIsCheckedOnce) {
  EXPECT_EQ(Method().get("a").get("a").get("b").hooks(), "read read");
  EXPECT_EQ(Method().put("a").get("a").put("a").hooks(), "write");
  EXPECT_EQ(Method().get("a").call("quiet").put("a").put("a").hooks(), "read write");
}

TEST(AccessChecks, TheHolderOfAnArrayIsAskedWhereItsElementsAreAccessed) {
  EXPECT_EQ(Method().get_array("a").element().hooks(), "read array-read");
  EXPECT_EQ(Method().knows_arrays().get_array("a").element().hooks(), "read known array-read");
  EXPECT_EQ(Method().knows_arrays().get_array("a").op({kPop}).hooks(), "read");
  EXPECT_EQ(Method().knows_arrays().get_array("a").op({kAstore2, kAload2}).element().op({kAload2}).element().hooks(),
            "read known array-read")
      << "through a local variable; the second read is covered";
  EXPECT_EQ(Method().knows_arrays().op({kAload1}).element().hooks(), "array-read") << "of no field";
  EXPECT_EQ(Method().knows_arrays().get_array("a").element().get_array("b").element().hooks(),
            "read known array-read read known array-read");
}

TEST(AccessChecks, AVolatileReadIsNeverCovered) {
  EXPECT_EQ(Method().get("v").get("v").hooks(), "read read-again");
  EXPECT_EQ(Method().put("v").get("v").hooks(), "write read-again");
}

TEST(AccessChecks, WhatMayBeVolatileIsCoveredIfItIsNot) {
  EXPECT_EQ(Method().get_foreign("a").get_foreign("a").hooks(), "read read-again");
  EXPECT_EQ(Method().put_foreign("a").get_foreign("a").put_foreign("a").hooks(), "write read-again write-again");
  // Two such writes: either may publish, whatever the other does.
  EXPECT_EQ(Method().put_foreign("a").put_foreign("b").get_foreign("a").hooks(), "write write read");
}

TEST(AccessChecks, AWriteThatMayPublishUncoversEverythingElse) {
  EXPECT_EQ(Method().get("a").put("v").get("a").hooks(), "read write read");
  EXPECT_EQ(Method().get("a").put_foreign("x").get("a").hooks(), "read write read");
  EXPECT_EQ(Method().get("a").get("v").get("a").hooks(), "read read") << "a read does not publish";
}

TEST(AccessChecks, CallsUncoverUnlessTheyAreQuiet) {
  EXPECT_EQ(Method().get("a").call("any").get("a").hooks(), "read read");
  EXPECT_EQ(Method().get("a").call("quiet").get("a").hooks(), "read");
}

// A program's class loader may synchronise.
TEST(AccessChecks, MakingAnArrayOfReferencesUncovers) {
  EXPECT_EQ(Method().put("a").array_of("X").put("a").hooks(), "write write");
  EXPECT_EQ(Method().put("a").op({kIconst1, 0xbc, 10, kPop}).put("a").hooks(), "write") << "of ints: nothing is loaded";
}

TEST(AccessChecks, StaticFieldsOfTheClassItselfInitialiseNothing) {
  const auto get = [](Method& m, const char* owner) -> Method& { return m.member(0xb2, owner, "s").op({kPop}); };
  Method own, other;
  EXPECT_EQ(get(get(own, "T").get("a"), "T").get("a").hooks(), "static-read read");
  EXPECT_EQ(get(get(other, "X").get("a"), "X").get("a").hooks(), "static-read read static-read read");
}

// if (i == 0) get(other) else get(one). A get has five bytes.
Method branches(const char* one, const char* other) {
  Method method;
  method.op({kIload2, kIfeq, 0, 3 + 5 + 3}).get(one).op({kGoto, 0, 3 + 5}).get(other);
  return method;
}

TEST(AccessChecks, WhereWaysComeTogetherAllOfThemHaveToCover) {
  EXPECT_EQ(branches("a", "a").get("a").hooks(), "read read");
  EXPECT_EQ(branches("a", "b").get("a").hooks(), "read read read");
}

TEST(AccessChecks, WhatIsJumpedBackToBeginsWithNothing) {
  Method loop;
  loop.get("a");
  loop.get("a").op({kIload2, kIfeq, 0xff, 0xfa}).get("a");  // back to the second read
  EXPECT_EQ(loop.hooks(), "read read");
}

TEST(AccessChecks, TheWriteOfAnUpdateStandsForItsRead) {
  EXPECT_EQ(Method().update("T", "a").hooks(), "update");
  EXPECT_EQ(Method().update("T", "a").get("a").update("T", "a").hooks(), "update");
  EXPECT_EQ(Method().get("a").put("a").hooks(), "update") << "whatever becomes of the value";
  EXPECT_EQ(Method().update("X", "a").hooks(), "update write-again");
  EXPECT_EQ(Method().update("T", "v").hooks(), "update write-again");
  EXPECT_EQ(Method().get("a").call("quiet").update("T", "a").hooks(), "read write")
      << "the read is covered: only the write is left";
}

TEST(AccessChecks, AnUpdateThatMayFailInBetweenIsAReadAndAWrite) {
  EXPECT_EQ(Method().update("T", "a", {kIconst1, kIconst1, kIdiv, kIadd}).hooks(), "read write");
  EXPECT_EQ(Method().update("T", "a", {kAload1, kIconst1, kIaload, kIadd}).hooks(), "read array-read write");
}

TEST(AccessChecks, UpdatesOfStaticFieldsAndElements) {
  Method of_static;
  of_static.member(0xb2, "T", "s").op({kIconst1, kIadd}).member(0xb3, "T", "s");
  EXPECT_EQ(of_static.hooks(), "static-write");
  Method of_other;
  of_other.member(0xb2, "X", "s").op({kIconst1, kIadd}).member(0xb3, "X", "s");
  EXPECT_EQ(of_other.hooks(), "static-read static-write");
  EXPECT_EQ(Method().op({kAload1, kIconst1, kDup2, kIaload, kIconst1, kIadd, kIastore}).hooks(), "array-write");
  // a[1] = a[0] + 1
  EXPECT_EQ(Method().op({kAload1, kIconst1, kAload1, 0x03, kIaload, kIconst1, kIadd, kIastore}).hooks(),
            "array-read array-write");
}

}  // namespace
}  // namespace deadheat::classfile
