// SPDX-License-Identifier: Apache-2.0
#include "agent/lock_names.h"

#include <algorithm>

namespace deadheat::agent {

namespace {

constexpr std::string_view kLocks = "java.util.concurrent.locks.";
constexpr std::string_view kPlain[] = {"java.lang.Object", "java.lang.String",  "java.lang.Integer",
                                       "java.lang.Long",   "java.lang.Boolean", "java.lang.Character",
                                       "java.lang.Class"};

bool says_nothing(std::string_view name) {
  return name.ends_with("[]") || name.starts_with(kLocks) ||
         std::find(std::begin(kPlain), std::end(kPlain), name) != std::end(kPlain);
}

// a/b/C$D → a.b.C. A name that begins with a dollar sign has no outer class.
std::string top_level(std::string_view internal) {
  const std::size_t start = internal.rfind('/') == std::string_view::npos ? 0 : internal.rfind('/') + 1;
  const std::size_t dollar = internal.find('$', start + 1);
  std::string name(internal.substr(0, dollar));
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

}  // namespace

std::string lock_type_name(std::string_view class_name, bool is_class, std::string_view asking) {
  if (is_class) return "class " + std::string(class_name);
  if (!says_nothing(class_name)) return std::string(class_name);
  // ReentrantReadWriteLock$ReadLock and $WriteLock, StampedLock$ReadLockView …
  if (class_name.starts_with(kLocks)) class_name = class_name.substr(0, class_name.find('$'));
  return std::string(class_name) + " in " + top_level(asking);
}

}  // namespace deadheat::agent
