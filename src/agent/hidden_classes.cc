// SPDX-License-Identifier: Apache-2.0
#include "agent/hidden_classes.h"

#include <algorithm>

#include "agent/class_rewriter.h"
#include "agent/watch_list.h"
#include "classfile/instrumenter.h"

namespace deadheat::agent {

namespace {

using classfile::ClassFile;
using classfile::Member;

// Also of the JDK's own lambdas: comparators, collectors and composed functions hold what the program gave them.
bool freezes(const ClassFile& cls, const Member& field) {
  return field.has(classfile::kAccFinal) && !field.has(classfile::kAccStatic) &&
         WatchList::freezes(cls.name(), cls.descriptor_of(field), /*from_jdk=*/false);
}

class FrozenFieldsGuide final : public classfile::PointGuide {
 public:
  explicit FrozenFieldsGuide(const ClassFile& cls) : cls_(cls) {}

  std::uint32_t site(const classfile::Point& point) override {
    if (point.kind != classfile::PointKind::kFieldRead) return 0;
    return std::any_of(cls_.fields.begin(), cls_.fields.end(), [&](const Member& field) {
      return cls_.name_of(field) == point.member->name && cls_.descriptor_of(field) == point.member->descriptor &&
             freezes(cls_, field);
    });
  }
  bool may_order(const classfile::MemberRef&) override { return false; }
  void skipped(std::uint32_t, std::string_view) override {}  // hidden classes are not watched; docs/limits.md

 private:
  const ClassFile& cls_;
};

}  // namespace

std::optional<std::vector<std::uint8_t>> rewrite_hidden_class(ByteSpan bytes) {
  Result<ClassFile> parsed = ClassFile::parse(bytes);
  if (!parsed.ok()) return std::nullopt;
  ClassFile& cls = parsed.value();
  // Method handles are made of hidden classes too.
  if (cls.name().starts_with("java/lang/") || (cls.access_flags & classfile::kAccInterface)) return std::nullopt;
  if (std::none_of(cls.fields.begin(), cls.fields.end(), [&](const Member& field) { return freezes(cls, field); }))
    return std::nullopt;
  classfile::Plan plan;
  plan.freeze = {"java/lang/DeadheatSync", "freeze", "()J"};
  plan.frozen_read = {"java/lang/DeadheatSync", "readFrozen", "(J)V"};
  classfile::InstrumentOptions options;
  options.arrays = false;
  options.monitors = false;
  options.fields = false;
  options.freeze_field = kFreezeField;
  FrozenFieldsGuide guide(cls);
  if (instrument(cls, plan, options, guide).methods == 0) return std::nullopt;
  add_injected_field(cls, kFreezeField, "J");
  return cls.write();
}

}  // namespace deadheat::agent
