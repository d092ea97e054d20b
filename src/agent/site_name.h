// SPDX-License-Identifier: Apache-2.0
//
// Names of sites that are the same in every run: "java/util/ArrayList.add(Ljava/lang/Object;)Z@12", and a number made
// of them. Site numbers themselves come in the order in which classes happen to be loaded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "agent/class_table.h"
#include "agent/site_table.h"

namespace deadheat::agent {

inline std::string site_name(const Site& site) {
  const MethodInfo& method = site.in->methods[site.method];
  return site.in->name + "." + method.name + method.descriptor + "@" + std::to_string(site.bytecode_index);
}

// 32-bit FNV-1a, never 0. Two sites with one number would make a replay less strict, nothing worse.
inline std::uint32_t stable_site_number(std::string_view name) {
  std::uint32_t hash = 0x811c9dc5;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  return hash == 0 ? 1 : hash;
}

}  // namespace deadheat::agent
