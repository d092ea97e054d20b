// SPDX-License-Identifier: Apache-2.0
#include "classfile/open_finals.h"

#include "classfile/constructor_flow.h"

namespace deadheat::classfile {

namespace {

// Marks the final fields that the constructor sets behind super(…); whether there are any.
bool mark_finals_set(const ClassFile& cls, const ConstructorFlow& constructor, std::vector<bool>& marks) {
  bool any = false;
  constructor.each_field_set([&](const MemberRef& set) {
    for (std::size_t i = 0; i < cls.fields.size(); ++i) {
      const Member& field = cls.fields[i];
      if (!field.has(kAccFinal) || field.has(kAccStatic) || cls.name_of(field) != set.name ||
          cls.descriptor_of(field) != set.descriptor)
        continue;
      marks.resize(cls.fields.size());
      marks[i] = any = true;
    }
  });
  return any;
}

}  // namespace

OpenFinals open_finals(const ClassFile& cls) {
  constexpr bool kMayLeak = true;
  OpenFinals open;
  for (const Member& method : cls.methods) {
    if (cls.name_of(method) != "<init>") continue;
    const Result<Code> code = Code::parse(cls, method);
    if (!code.ok()) return {kMayLeak, {}, {}};
    const FrameAnalysis frames = FrameAnalysis::run(cls, method, code.value());
    if (!frames.known()) return {kMayLeak, {}, {}};
    const ConstructorFlow constructor(cls, code.value(), frames);
    const bool leaks = constructor.leaks_this();
    open.leaks |= leaks;
    if (!mark_finals_set(cls, constructor, open.if_super_leaks)) continue;
    if (!constructor.calls_super() || !constructor.keeps_this() || !constructor.can_handle_with_this())
      return {kMayLeak, {}, {}};
    if (leaks) mark_finals_set(cls, constructor, open.if_this_leaks);
  }
  return open;
}

}  // namespace deadheat::classfile
