// SPDX-License-Identifier: Apache-2.0
#include "agent/embedded_classes.h"

namespace deadheat::agent {

extern "C" const EmbeddedClass dh_shim_table[];  // shim_blob.S, made by CMakeLists.txt; the last one has no name

std::span<const EmbeddedClass> embedded_classes() {
  const EmbeddedClass* end = dh_shim_table;
  while (end->name != nullptr) ++end;
  return {dh_shim_table, end};
}

}  // namespace deadheat::agent
