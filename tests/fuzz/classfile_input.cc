// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/classfile_input.h"

#include <algorithm>

#include "base/check.h"
#include "classfile/class_file.h"
#include "classfile/code.h"
#include "classfile/frame_analysis.h"
#include "tests/unit/classfile/class_builder.h"

namespace deadheat::classfile {
namespace {

std::uint8_t low(std::uint16_t index) { return static_cast<std::uint8_t>(index); }

// A loop with a switch, a handler, debug tables, annotations and frames of every form.
Bytes class_with_tables(std::uint16_t major) {
  ClassBuilder builder(major);
  auto field = low(builder.pool().add_field({"T", "f", "J"}));
  auto call = low(builder.pool().add_method({"T", "g", "([IJ)LT;"}));
  auto cls = low(builder.pool().add_class("T"));
  builder.table("LineNumberTable", {0, 2, 0, 0, 0, 1, 0, 3, 0, 2});
  builder.table("LocalVariableTable", {0, 1, 0, 0, 0, 4, 0, 1, 0, 1, 0, 0});
  builder.table("RuntimeVisibleTypeAnnotations", {0,    3, 0x40, 0, 1, 0, 0, 0, 3, 0, 1, 0, 0, 1, 0, 0,  //
                                                  0x42, 0, 0,    0, 0, 1, 0, 0,                          //
                                                  0x47, 0, 3,    1, 0, 0, 1, 0, 0});
  builder.table("StackMapTable", {0, 5, 3, 252, 0, 2, 1, 250, 0, 21, 64 + 3, 7, 0, cls, 255, 0, 0, 0, 1, 1, 0, 0});
  builder.handler({0, 7, 32, 0});
  const Bytes code = {
      0x1a, 0x3c, 0x00,                                                                   // 0 iload_0; istore_1; nop
      0x1b, 0x04, 0x60,                                                                   // 3 iload_1; iconst_1; iadd
      0x1a,                                                                               // 6 iload_0
      0xaa, 0,    0,    0,    21,   0,    0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 21, 0, 0, 0, 23,  // 7 tableswitch: 28, 30
      0x57, 0xb1, 0x57, 0xb1, 0x57, 0xb1,                                                 // 28 pop; return; three times
  };
  builder.stack(6).locals(6).static_method(code, "(I)V");
  builder.stack(6).locals(4).static_method(
      {
          0x06, 0xbc, 10,  0x59, 0x4c, 0xb2, 0,    field, 0xb8, 0, call, 0xc0, 0, cls, 0x57,  // newarray … invokestatic
          0xbb, 0,    cls, 0x59, 0x57, 0x57, 0x03, 0x99,  0,    3, 0xb1,
      },
      "(II)V");
  return builder.bytes();
}

// The instructions no modern compiler makes: jsr, ret, wide, goto_w, lookupswitch.
Bytes class_of_old() {
  ClassBuilder builder(46);
  builder.handler({0, 3, 15, 0});
  builder.static_method({0xa8, 0, 6, 0xa7, 0, 11, 0x4c, 0xc4, 0x15, 0, 0, 0x57, 0xa9, 1, 0xb1, 0xbf}, "(I)V");
  builder.static_method(
      {0x1a, 0xab, 0, 0, 0, 0, 0, 19, 0, 0, 0, 1, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 19, 0xc8, 0, 0, 0, 5, 0xb1},
      "(II)V");
  return builder.bytes();
}

// A frame needs to be consistent, not right: the JVM is not asked.
void edit(Code& code) {
  const Instruction nop = Instruction::simple(Opcode::nop);
  Label start = code.new_label(), end = code.new_label();
  for (InsnId at : code.originals()) {
    code.insert_before(at, {nop, nop},
                       static_cast<std::uint32_t>(at) % 2 == 0 ? Code::Jumps::kIncluded : Code::Jumps::kSkipped);
    if (falls_through(code.at(at).opcode)) code.insert_after(at, {nop});
  }
  std::uint16_t local = code.new_local(1);
  code.prepend(
      {Instruction::place(start), Instruction::simple(Opcode::iconst_0), Instruction::local(Opcode::istore, local)});
  code.append({Instruction::place(end), Instruction::simple(Opcode::athrow)});
  code.add_handler({start, end, end, 0}, Code::Order::kLast);
  code.pin_local(local, VerificationType::simple(VerificationType::Tag::kInteger));
  code.add_frame(end, {}, {});
  code.raise_max_stack(1);
}

void look_everywhere(const Code& code, const FrameAnalysis& analysis) {
  FrameAnalysis::Cursor cursor(analysis);
  for (InsnId at : code.originals()) {
    if (!cursor.seek(at)) continue;
    DH_CHECK(cursor.stack_slots() <= code.max_stack());
    for (std::uint32_t i = 0; i < code.max_stack(); ++i) cursor.stack(i);
  }
}

void exercise_method(ClassFile& cls, Member& method) {
  Result<Code> code = Code::parse(cls, method);
  if (!code) return;
  FrameAnalysis analysis = FrameAnalysis::run(cls, method, code.value());
  look_everywhere(code.value(), analysis);
  DH_CHECK(code.value().encode(cls.pool).ok());
  edit(code.value());
  if (code.value().store(cls, method)) DH_CHECK(Code::parse(cls, method).ok());
}

}  // namespace

std::vector<Seed> seed_classes() {
  return {{"modern", class_with_tables(61)}, {"no_frames", class_with_tables(49)}, {"old", class_of_old()}};
}

bool exercise(ByteSpan bytes) {
  Result<ClassFile> cls = ClassFile::parse(bytes);
  if (!cls) return false;
  std::vector<std::uint8_t> same = cls.value().write();
  DH_CHECK(std::equal(same.begin(), same.end(), bytes.begin(), bytes.end()));
  for (Member& method : cls.value().methods) exercise_method(cls.value(), method);
  DH_CHECK(ClassFile::parse(cls.value().write()).ok());
  return true;
}

}  // namespace deadheat::classfile
