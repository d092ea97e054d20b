// SPDX-License-Identifier: Apache-2.0
#include "agent/hidden_classes.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "agent/class_rewriter.h"
#include "agent/finalizable.h"
#include "agent/gate_guide.h"
#include "agent/gate_plan.h"
#include "agent/hook_plan.h"
#include "agent/lock_calls.h"
#include "agent/shim_layout.h"
#include "agent/site_name.h"
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

// What both guides ask about: where a call is, in a class that nobody has registered.
class HiddenPlaces {
 public:
  HiddenPlaces(const ClassFile& cls, ClassTable& classes, LoaderId loader)
      : cls_(cls), classes_(classes), loader_(loader) {}

  Site site_at(const Point& point) {
    if (info_ == nullptr) info_ = register_class();
    Site site;
    site.in = info_;
    site.method = static_cast<std::uint16_t>(point.method);
    site.bytecode_index = static_cast<std::uint16_t>(point.bytecode_index);
    site.line = classfile::LineTable::of(cls_, cls_.methods[point.method]).line_at(point.bytecode_index);
    return site;
  }

 private:
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
    return classes_.add_nameless(std::move(info));
  }

  const ClassFile& cls_;
  ClassTable& classes_;
  const LoaderId loader_;
  ClassInfo* info_ = nullptr;  // registered when the first site wants it
};

class HiddenClassGuide final : public classfile::PointGuide {
 public:
  HiddenClassGuide(const ClassFile& cls, HiddenPlaces& places, SiteTable& sites, bool from_jdk)
      : cls_(cls), places_(places), sites_(sites), from_jdk_(from_jdk) {}

  std::uint32_t site(const Point& point) override {
    if (point.kind == PointKind::kFieldRead) return reads_frozen(*point.member);
    return point.kind == PointKind::kCall && !from_jdk_ ? sites_.add(places_.site_at(point)) : 0;
  }
  bool may_order(const classfile::MemberRef&) override { return false; }
  void skipped(std::uint32_t, std::string_view) override {}  // hidden classes are not watched; docs/limits.md

 private:
  bool reads_frozen(const classfile::MemberRef& read) const {
    return std::any_of(cls_.fields.begin(), cls_.fields.end(), [&](const Member& field) {
      return cls_.name_of(field) == read.name && cls_.descriptor_of(field) == read.descriptor && freezes(cls_, field);
    });
  }

  const ClassFile& cls_;
  HiddenPlaces& places_;
  SiteTable& sites_;
  const bool from_jdk_;
};

// The scheduler's: the calls alone.
class HiddenGateGuide final : public classfile::PointGuide {
 public:
  HiddenGateGuide(HiddenPlaces& places, SiteTable& sites, bool silent)
      : places_(places), sites_(sites), silent_(silent) {}

  std::uint32_t site(const Point& point) override {
    if (point.kind != PointKind::kCall) return 0;
    Site site = places_.site_at(point);
    site.stable = stable_site_number(site_name(site));
    site.sync_only = true;
    site.silent = silent_;
    return sites_.add(site);
  }
  bool may_order(const classfile::MemberRef&) override { return true; }
  void skipped(std::uint32_t, std::string_view) override {}

 private:
  HiddenPlaces& places_;
  SiteTable& sites_;
  const bool silent_;
};

classfile::Plan make_plan(Purpose purpose) {
  classfile::Plan plan = make_hook_plan();
  if (purpose == Purpose::kCandidates) add_candidate_lock_calls(plan);
  plan.frozen_read = {"java/lang/DeadheatSync", "readFrozen", "(J)V"};
  return plan;
}

}  // namespace

HiddenClasses::HiddenClasses(ClassTable& classes, SiteTable& sites, Purpose purpose)
    : classes_(classes),
      sites_(sites),
      detects_(purpose != Purpose::kScheduler),
      schedules_(purpose == Purpose::kScheduler || purpose == Purpose::kBoth),
      plan_(detects_ ? make_plan(purpose) : classfile::Plan()),
      gate_plan_(schedules_ ? make_gate_plan(GatedCalls::kNone) : classfile::Plan()) {}

std::optional<std::vector<std::uint8_t>> HiddenClasses::rewrite(ByteSpan bytes, LoaderId loader, bool from_jdk) {
  Result<ClassFile> parsed = ClassFile::parse(bytes);
  if (!parsed.ok()) return std::nullopt;
  ClassFile& cls = parsed.value();
  // Method handles are made of hidden classes too.
  if (cls.name().starts_with("java/lang/") || (cls.access_flags & classfile::kAccInterface)) return std::nullopt;
  const bool frozen = detects_ && std::any_of(cls.fields.begin(), cls.fields.end(),
                                              [&](const Member& field) { return freezes(cls, field); });
  const bool gated = schedules_ && makes_hooked_call(cls, gate_plan_);
  const bool finalizable = detects_ && may_be_finalized(cls, loader, classes_);
  if (!frozen && !gated && !finalizable && !makes_hooked_call(cls, plan_)) return std::nullopt;
  classfile::InstrumentOptions options;
  options.monitors = false;
  options.fields = false;
  options.drop_redundant = false;
  classfile::InstrumentOptions gate_options = options;
  gate_options.arrays = false;
  if (frozen) options.freeze_field = kFreezeField;
  if (finalizable) options.finalizable = kHiddenFinalizable;
  HiddenPlaces places(cls, classes_, loader);
  HiddenClassGuide guide(cls, places, sites_, from_jdk);
  HiddenGateGuide gate_guide(places, sites_, !offers_switches(cls.name(), from_jdk));
  const classfile::InstrumentCounts counts =
      !gated     ? instrument(cls, plan_, options, guide)
      : detects_ ? instrument(cls, {gate_plan_, gate_options, gate_guide}, {plan_, options, guide})
                 : instrument(cls, gate_plan_, gate_options, gate_guide);
  if (counts.methods == 0) return std::nullopt;
  if (frozen) add_injected_field(cls, kFreezeField, "J");
  return cls.write();
}

}  // namespace deadheat::agent
