// SPDX-License-Identifier: Apache-2.0
#include "agent/gate_guide.h"

#include "agent/site_name.h"

namespace deadheat::agent {

using classfile::PointKind;

std::uint32_t GateGuide::site(const classfile::Point& point) {
  Site site = site_at(point);
  site.stable = stable_site_number(site_name(site));
  const bool wanted = wanted_.contains(site.stable);
  const bool element = point.kind == PointKind::kArrayRead || point.kind == PointKind::kArrayWrite ||
                       (point.kind == PointKind::kCall && point.member->name == "arraycopy");
  if (element && !wanted) return 0;
  if (is_field(point.kind) && !wanted && point.member->owner == info_.name) {
    const FieldInfo* declared = info_.find_field(point.member->name, point.member->descriptor);
    if (declared != nullptr && declared->kind != WhereKind::kVolatile) return 0;
  }
  site.sync_only = !wanted;
  site.silent = silent_ && !wanted;
  return sites_.add(site);
}

// What the VM calls with locks of its own held.
bool GateGuide::is_region(std::uint32_t method) {
  const MethodInfo& info = info_.methods[method];
  // Linking of invokedynamic and of method handles, where what is done depends on identity hashes.
  if (info_.name == kLinker) return info.name.starts_with("link") || info.name == "findMethodHandleType";
  return (info.name == "loadClass" || info.name == "loadClassOrNull") && info.descriptor.starts_with("(Ljava/lang/String;");
}

bool offers_switches(std::string_view class_name, bool from_jdk) {
  if (!from_jdk) return true;
  return class_name.starts_with("java/util/") || class_name == "java/lang/Thread" || class_name == "java/lang/ThreadGroup";
}

}  // namespace deadheat::agent
