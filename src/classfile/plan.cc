// SPDX-License-Identifier: Apache-2.0
#include "classfile/plan.h"

namespace deadheat::classfile {

const CallRule* Plan::call_rule(const MemberRef& method, std::string_view caller) const {
  const auto found = calls_.find(method.name);
  if (found == calls_.end()) return nullptr;
  for (const CallRule& rule : found->second) {
    if (!rule.within.empty() && rule.within != caller) continue;
    const bool any_array = rule.owner == "[" && method.owner.starts_with('[');
    if ((rule.owner.empty() || rule.owner == method.owner || any_array) &&
        (rule.descriptor.empty() || rule.descriptor == method.descriptor)) {
      return &rule;
    }
  }
  return nullptr;
}

}  // namespace deadheat::classfile
