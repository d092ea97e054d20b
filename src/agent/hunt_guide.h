// SPDX-License-Identifier: Apache-2.0
//
// A ClassGuide that also gives lock requests a site: monitors, and calls that have the shape of a lock's.
#pragma once

#include "agent/class_guide.h"

namespace deadheat::agent {

class HuntGuide final : public ClassGuide {
 public:
  // `gated`: whether lock requests are told in this class; else it is a ClassGuide.
  HuntGuide(const classfile::ClassFile& cls, ClassInfo& info, SiteTable& sites, RunLog& log, RewriteTotals& totals,
            FormerSites* former, NativeWords& words, bool gated)
      : ClassGuide(cls, info, sites, log, totals, former, &words), gated_(gated) {}

  std::uint32_t site(const classfile::Point& point) override;

 private:
  const bool gated_;
};

}  // namespace deadheat::agent
