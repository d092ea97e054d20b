// SPDX-License-Identifier: Apache-2.0
#include "agent/leaking_supers.h"

namespace deadheat::agent {

// Which class of another loader is meant is up to the program.
bool super_may_leak(std::string_view super, LoaderId loader, const ClassTable& classes) {
  while (!super.starts_with("java/")) {
    const ClassInfo* known = classes.find(super, loader);
    if (known == nullptr || known->leaks_this) return true;
    super = known->super;
  }
  return false;
}

}  // namespace deadheat::agent
