// SPDX-License-Identifier: Apache-2.0
#include "agent/hidden_classes.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "agent/class_rewriter.h"
#include "agent/hook_plan.h"
#include "agent/watch_list.h"
#include "classfile/instrumenter.h"
#include "classfile/line_table.h"

namespace deadheat::agent {

namespace {

using classfile::ClassFile;
using classfile::Member;
using classfile::Point;
using classfile::PointKind;
using classfile::Tag;

// Also of the JDK's own lambdas: comparators, collectors and composed functions hold what the program gave them.
bool freezes(const ClassFile& cls, const Member& field) {
  return field.has(classfile::kAccFinal) && !field.has(classfile::kAccStatic) &&
         WatchList::freezes(cls.name(), cls.descriptor_of(field), /*from_jdk=*/false);
}

bool makes_hooked_call(const ClassFile& cls, const classfile::Plan& plan) {
  for (std::uint32_t i = 1; i < cls.pool.size(); ++i) {
    if (cls.pool.tag(i) != Tag::kMethodRef && cls.pool.tag(i) != Tag::kInterfaceMethodRef) continue;
    const auto called = cls.pool.member(i);
    if (called && plan.call_rule(*called, cls.name()) != nullptr) return true;
  }
  return false;
}

// Some JDKs number their lambdas as they come; the names of sites must be the same in every run.
std::string_view without_number(std::string_view name) {
  constexpr std::string_view kLambda = "$$Lambda";
  const std::size_t at = name.find(kLambda);
  return at == std::string_view::npos ? name : name.substr(0, at + kLambda.size());
}

class HiddenClassGuide final : public classfile::PointGuide {
 public:
  HiddenClassGuide(const ClassFile& cls, ClassTable& classes, SiteTable& sites, LoaderId loader, bool from_jdk)
      : cls_(cls), classes_(classes), sites_(sites), loader_(loader), from_jdk_(from_jdk) {}

  std::uint32_t site(const Point& point) override {
    if (point.kind == PointKind::kFieldRead) return reads_frozen(*point.member);
    return point.kind == PointKind::kCall && !from_jdk_ ? call_at(point) : 0;
  }
  bool may_order(const classfile::MemberRef&) override { return false; }
  void skipped(std::uint32_t, std::string_view) override {}  // hidden classes are not watched; docs/limits.md

 private:
  bool reads_frozen(const classfile::MemberRef& read) const {
    return std::any_of(cls_.fields.begin(), cls_.fields.end(), [&](const Member& field) {
      return cls_.name_of(field) == read.name && cls_.descriptor_of(field) == read.descriptor && freezes(cls_, field);
    });
  }

  std::uint32_t call_at(const Point& point) {
    if (info_ == nullptr) info_ = register_class();
    Site site;
    site.in = info_;
    site.method = static_cast<std::uint16_t>(point.method);
    site.bytecode_index = static_cast<std::uint16_t>(point.bytecode_index);
    site.line = classfile::LineTable::of(cls_, cls_.methods[point.method]).line_at(point.bytecode_index);
    return sites_.add(site);
  }

  // For the names in reports alone: no object of a hidden class is ever looked up by such a name.
  ClassInfo* register_class() {
    auto info = std::make_unique<ClassInfo>();
    info->name = without_number(cls_.name());
    info->super = cls_.super_name();
    info->loader = loader_;
    info->watch = Watch::kFull;
    for (const Member& method : cls_.methods) {
      info->methods.push_back({std::string(cls_.name_of(method)), std::string(cls_.descriptor_of(method))});
    }
    return classes_.add(std::move(info));
  }

  const ClassFile& cls_;
  ClassTable& classes_;
  SiteTable& sites_;
  const LoaderId loader_;
  const bool from_jdk_;
  ClassInfo* info_ = nullptr;  // registered when the first site wants it
};

classfile::Plan make_plan() {
  classfile::Plan plan = make_hook_plan();
  plan.frozen_read = {"java/lang/DeadheatSync", "readFrozen", "(J)V"};
  return plan;
}

}  // namespace

HiddenClasses::HiddenClasses(ClassTable& classes, SiteTable& sites)
    : classes_(classes), sites_(sites), plan_(make_plan()) {}

std::optional<std::vector<std::uint8_t>> HiddenClasses::rewrite(ByteSpan bytes, LoaderId loader, bool from_jdk) {
  Result<ClassFile> parsed = ClassFile::parse(bytes);
  if (!parsed.ok()) return std::nullopt;
  ClassFile& cls = parsed.value();
  // Method handles are made of hidden classes too.
  if (cls.name().starts_with("java/lang/") || (cls.access_flags & classfile::kAccInterface)) return std::nullopt;
  const bool frozen =
      std::any_of(cls.fields.begin(), cls.fields.end(), [&](const Member& field) { return freezes(cls, field); });
  if (!frozen && !makes_hooked_call(cls, plan_)) return std::nullopt;
  classfile::InstrumentOptions options;
  options.monitors = false;
  options.fields = false;
  options.drop_redundant = false;
  if (frozen) options.freeze_field = kFreezeField;
  HiddenClassGuide guide(cls, classes_, sites_, loader, from_jdk);
  if (instrument(cls, plan_, options, guide).methods == 0) return std::nullopt;
  if (frozen) add_injected_field(cls, kFreezeField, "J");
  return cls.write();
}

}  // namespace deadheat::agent
