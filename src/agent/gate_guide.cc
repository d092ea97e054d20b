// SPDX-License-Identifier: Apache-2.0
#include "agent/gate_guide.h"

#include <algorithm>

#include "agent/access_modes.h"
#include "agent/array_calls.h"
#include "agent/lock_calls.h"
#include "agent/shim_layout.h"
#include "agent/watch_list.h"

namespace deadheat::agent {

using classfile::PointKind;

namespace {

PlainAccess access_of(PointKind kind) {
  switch (kind) {
    case PointKind::kFieldRead:
    case PointKind::kStaticRead:
    case PointKind::kArrayRead:
      return PlainAccess::kRead;
    case PointKind::kFieldWrite:
    case PointKind::kStaticWrite:
    case PointKind::kArrayWrite:
      return PlainAccess::kWrite;
    default:
      return PlainAccess::kNone;
  }
}

bool is_indirect(const classfile::MemberRef& called) {
  return called.owner == kMethodHandle || called.owner == kReflectedField || is_plain_access(called.owner, called.name);
}

}  // namespace

std::uint32_t GateGuide::site(const classfile::Point& point) {
  Site site = site_at(point);
  site.stable = stable_number_of(site);
  site.access = access_of(point.kind);
  const bool wanted = wanted_ == nullptr || wanted_->has(site.stable);
  const bool element =
      point.kind == PointKind::kArrayRead || point.kind == PointKind::kArrayWrite ||
      (point.kind == PointKind::kCall && (point.member->name == "arraycopy" || is_array_call(*point.member)));
  // Not the JDK's own uses of handles and reflection, which are many; nor its plain accesses by way of a call, but
  // where they publish.
  const bool indirect = point.kind == PointKind::kCall && info_.name != kWorkQueue && is_indirect(*point.member);
  if ((element || indirect) && !wanted) return without_hook(site);
  if (is_field(point.kind) && (!wanted || point.orders_only) && is_plain(*point.member)) return without_hook(site);
  site.sync_only = !wanted || (point.orders_only && is_field(point.kind));
  site.silent = silent_ && !wanted;
  const std::uint32_t number = sites_.add(site);
  const bool meets = wanted_ != nullptr && wanted && point.kind == PointKind::kCall;
  return meets && is_atomic_access(point.member->owner, point.member->name) ? number | kWantedSite : number;
}

bool GateGuide::may_watch(const classfile::MemberRef& field) {
  return wanted_ == nullptr || wanted_->are_in(info_.name) || !is_plain(field);
}

bool GateGuide::is_plain(const classfile::MemberRef& field) {
  if (field.owner != info_.name) return false;
  const FieldInfo* declared = info_.find_field(field.name, field.descriptor);
  return declared != nullptr && declared->kind != WhereKind::kVolatile;
}

std::uint32_t GateGuide::without_hook(const Site& site) {
  if (site.access != PlainAccess::kNone && wanted_ != nullptr && wanted_->are_in(info_.name)) sites_.add(site);
  return 0;
}

std::uint32_t GatedMonitorsGuide::site(const classfile::Point& point) {
  if (point.kind != PointKind::kMonitor) return ClassGuide::site(point);
  Site site = site_at(point);
  site.stable = stable_number_of(site);
  site.sync_only = true;
  site.silent = silent_;
  return sites_.add(site);
}

// What the VM calls with locks of its own held.
bool GateGuide::is_region(std::uint32_t method) {
  const MethodInfo& info = info_.methods[method];
  if (info_.name == kLinker) return info.name.starts_with("link") || info.name == "findMethodHandleType";
  if (is_unscheduled_class(info_.name)) return true;
  return (info.name == "loadClass" || info.name == "loadClassOrNull") &&
         info.descriptor.starts_with("(Ljava/lang/String;");
}

bool GateGuide::may_wrap(std::uint32_t method) {
  return marked_.any() || is_region(method) ||
         (from_jdk_ && lock_call(info_.name, info_.methods[method].name) != LockCall::kNone);
}

std::uint32_t GateGuide::atomic_region(std::uint32_t method) {
  if (!marked_.any()) return 0;
  const MethodInfo& info = info_.methods[method];
  std::string name = info_.name + "." + info.name;
  std::replace(name.begin(), name.end(), '/', '.');
  const auto fits = [&name](const std::vector<std::string>& patterns) {
    return std::ranges::any_of(patterns, [&](const std::string& pattern) { return matches_pattern(pattern, name); });
  };
  const bool is_body = info.name == "main" || info.name == "run";  // of threads: all they do would be one region
  const bool is_public = !from_jdk_ && methods_[method].has(classfile::kAccPublic) && !is_body;
  Site site = site_at({PointKind::kMonitor, method, 0, nullptr});
  site.is_unit = (marked_.all_public_atomic && is_public) || fits(marked_.atomic);
  site.is_told = fits(marked_.told);
  return site.is_unit || site.is_told ? sites_.add(site) : 0;
}

classfile::PointGuide::WholeCall GateGuide::whole_call(std::uint32_t method) {
  const LockCall call = from_jdk_ ? lock_call(info_.name, info_.methods[method].name) : LockCall::kNone;
  if (call == LockCall::kNone) return {};
  Site site = site_at({PointKind::kMonitor, method, 0, nullptr});
  site.stable = stable_number_of(site);
  site.sync_only = true;
  return {static_cast<std::uint32_t>(call), sites_.add(site)};
}

// What they do depends on the identity hashes of classes, which differ from run to run.
bool is_unscheduled_class(std::string_view class_name) {
  return class_name == kLinker || class_name == "java/lang/invoke/MethodType$ConcurrentWeakInternSet" ||
         class_name.starts_with("jdk/internal/util/ReferencedKey");
}

bool offers_switches(std::string_view class_name, bool from_jdk) {
  if (!from_jdk) return true;
  return class_name.starts_with("java/util/") || class_name == "java/lang/Thread" ||
         class_name == "java/lang/ThreadGroup";
}

}  // namespace deadheat::agent
