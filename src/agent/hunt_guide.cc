// SPDX-License-Identifier: Apache-2.0
#include "agent/hunt_guide.h"

#include "agent/hunt_plan.h"

namespace deadheat::agent {

std::uint32_t HuntGuide::site(const classfile::Point& point) {
  const bool request = point.kind == classfile::PointKind::kMonitor ||
                       (point.kind == classfile::PointKind::kCall && point.member != nullptr &&
                        is_lock_call(point.member->name, point.member->descriptor));
  if (!request) return ClassGuide::site(point);
  if (!gated_) return 0;
  const std::uint32_t former = former_site(point);
  return former != 0 ? former : sites_.add(site_at(point));
}

}  // namespace deadheat::agent
