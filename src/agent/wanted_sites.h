// SPDX-License-Identifier: Apache-2.0
//
// The plain accesses that the scheduler was asked to look at, by their names (site_name.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "agent/site_name.h"

namespace deadheat::agent {

class WantedSites {
 public:
  // "java/util/ArrayList.add(Ljava/lang/Object;)Z@12".
  void add(std::string_view name) {
    numbers_.insert(stable_site_number(name));
    classes_.emplace(name.substr(0, name.find('.')));
  }
  bool empty() const { return numbers_.empty(); }
  bool has(std::uint32_t stable_number) const { return numbers_.contains(stable_number); }
  // Whether one of them is in this class.
  bool are_in(const std::string& class_name) const { return classes_.contains(class_name); }

 private:
  std::unordered_set<std::uint32_t> numbers_;  // stable_site_number()
  std::unordered_set<std::string> classes_;    // internal names
};

}  // namespace deadheat::agent
