// SPDX-License-Identifier: Apache-2.0
#include "agent/unwatched_initialisers.h"

#include <algorithm>

#include "agent/gate_plan.h"
#include "classfile/instrumenter.h"

namespace deadheat::agent {
namespace {

constexpr std::string_view kPrefixes[] = {"java/lang/invoke/", "jdk/internal/reflect/"};

// Nothing but what goes around the initialiser.
class NoPoints : public classfile::PointGuide {
 public:
  std::uint32_t site(const classfile::Point&) override { return 0; }
  bool may_watch(const classfile::MemberRef&) override { return false; }
  bool may_wrap(std::uint32_t) override { return false; }
  bool may_order(const classfile::MemberRef&) override { return false; }
  void skipped(std::uint32_t, std::string_view) override {}
};

}  // namespace

bool wrap_unwatched_initialiser(classfile::ClassFile& cls) {
  const bool wanted = std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                                  [&](std::string_view prefix) { return cls.name().starts_with(prefix); });
  if (!wanted) return false;
  const classfile::Plan plan = make_region_plan();
  classfile::InstrumentOptions options;
  options.arrays = options.monitors = options.fields = false;
  NoPoints guide;
  return instrument(cls, plan, options, guide).points != 0;
}

}  // namespace deadheat::agent
