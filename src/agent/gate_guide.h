// SPDX-License-Identifier: Apache-2.0
//
// Answers the instrumenter's questions about one class under the controlled scheduler: every monitor, volatile field
// and call of a rule gets a site; of the plain accesses only those that were asked for. The others of their classes are
// in the table of sites, without a hook: conductor_log.cc tells which of them stand in the same line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agent/class_guide.h"
#include "agent/marked_methods.h"
#include "agent/wanted_sites.h"

namespace deadheat::agent {

class GateGuide final : public ClassGuide {
 public:
  // `wanted`: null for all. `silent`: switches are not offered in this class unless a thread has to wait.
  GateGuide(const classfile::ClassFile& cls, ClassInfo& info, SiteTable& sites, RunLog& log, RewriteTotals& totals,
            const WantedSites* wanted, bool silent, const MarkedMethods& marked, bool from_jdk)
      : ClassGuide(cls, info, sites, log, totals),
        methods_(cls.methods),
        wanted_(wanted),
        silent_(silent),
        marked_(marked),
        from_jdk_(from_jdk) {}

  std::uint32_t site(const classfile::Point& point) override;
  bool may_watch(const classfile::MemberRef& field) override;
  bool may_wrap(std::uint32_t method) override;
  bool may_order(const classfile::MemberRef&) override { return true; }
  bool is_region(std::uint32_t method) override;
  std::uint32_t atomic_region(std::uint32_t method) override;
  WholeCall whole_call(std::uint32_t method) override;

 private:
  std::uint32_t without_hook(const Site& site);
  // Whether the class declares it, and not as volatile.
  bool is_plain(const classfile::MemberRef& field);

  const std::vector<classfile::Member>& methods_;
  const WantedSites* const wanted_;
  const bool silent_;
  const MarkedMethods& marked_;
  const bool from_jdk_;
};

// The detector's guide when the scheduler is at work beside it: monitors get the sites that a GateGuide would give
// them.
class GatedMonitorsGuide final : public ClassGuide {
 public:
  GatedMonitorsGuide(const classfile::ClassFile& cls, ClassInfo& info, SiteTable& sites, RunLog& log,
                     RewriteTotals& totals, NativeWords& words, bool silent)
      : ClassGuide(cls, info, sites, log, totals, nullptr, &words), silent_(silent) {}

  std::uint32_t site(const classfile::Point& point) override;

 private:
  const bool silent_;
};

// What the VM calls to link invokedynamic, and the tables of method types behind it. The detector leaves them alone;
// the scheduler must not switch in them.
inline constexpr std::string_view kLinker = "java/lang/invoke/MethodHandleNatives";
bool is_unscheduled_class(std::string_view class_name);

// Whether switches are offered in a class: in the program's own, and in those of the JDK that are about threads.
bool offers_switches(std::string_view class_name, bool from_jdk);

}  // namespace deadheat::agent
