// SPDX-License-Identifier: Apache-2.0
#include "agent/finalizable.h"

#include <algorithm>
#include <string_view>

namespace deadheat::agent {

namespace {

constexpr std::string_view kName = "finalize";
constexpr std::string_view kDescriptor = "()V";

bool declares_finalizer(const ClassInfo& info) {
  return std::any_of(info.methods.begin(), info.methods.end(),
                     [](const MethodInfo& m) { return m.name == kName && m.descriptor == kDescriptor; });
}

// Nobody inherits a finalizer from these: the few that they declare are empty, which to the VM is none (Enum,
// ThreadPoolExecutor), or of a class that nobody can extend.
bool bequeaths_none(std::string_view name) { return name.starts_with("java/lang/") || name.starts_with("java/util/"); }

// What the name of a superclass stands for in this loader; null: not known yet. A loader that has defined a class of
// the name means that one, and java.* is nobody's but the JDK's; which other loader is asked is up to the program.
const ClassInfo* known_class(std::string_view name, LoaderId loader, const ClassTable& classes) {
  if (const ClassInfo* own = classes.find(name, loader)) return own;
  return name.starts_with("java/") ? classes.find(name, LoaderId{}) : nullptr;
}

}  // namespace

bool may_be_finalized(const classfile::ClassFile& cls, LoaderId loader, const ClassTable& classes) {
  if (cls.access_flags & classfile::kAccInterface) return false;
  for (const classfile::Member& method : cls.methods) {
    if (cls.name_of(method) == kName && cls.descriptor_of(method) == kDescriptor) return true;
  }
  std::string_view super = cls.super_name();
  while (!super.empty() && !bequeaths_none(super)) {
    const ClassInfo* known = known_class(super, loader, classes);
    if (known == nullptr || declares_finalizer(*known)) return true;
    super = known->super;
    loader = known->loader;
  }
  return false;
}

}  // namespace deadheat::agent
