// SPDX-License-Identifier: Apache-2.0
//
// Names of sites that are the same in every run: "java/util/ArrayList.add(Ljava/lang/Object;)Z@12", and a number made
// of them. Site numbers themselves come in the order in which classes happen to be loaded.
#pragma once

#include <charconv>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "agent/class_table.h"
#include "agent/site_table.h"

namespace deadheat::agent {

inline std::string site_name(const Site& site) {
  const MethodInfo& method = site.in->methods[site.method];
  return site.in->name + "." + method.name + method.descriptor + "@" + std::to_string(site.bytecode_index);
}

// 32-bit FNV-1a of a name, piece by piece.
class StableHash {
 public:
  StableHash& add(std::string_view text) {
    for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x01000193;
    return *this;
  }
  StableHash& add(std::uint32_t number) {
    char digits[10];
    const char* const end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
    return add(std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }
  // Never 0.
  std::uint32_t value() const { return hash_ == 0 ? 1 : hash_; }

 private:
  std::uint32_t hash_ = 0x811c9dc5;
};

// Two sites with one number would make a replay less strict, nothing worse.
inline std::uint32_t stable_site_number(std::string_view name) { return StableHash().add(name).value(); }

// Of the names of all sites in the method, up to the bytecode index.
inline StableHash stable_hash_of(const ClassInfo& in, const MethodInfo& method) {
  return StableHash().add(in.name).add(".").add(method.name).add(method.descriptor).add("@");
}

}  // namespace deadheat::agent
