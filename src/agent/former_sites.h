// SPDX-License-Identifier: Apache-2.0
//
// The sites that a class got when it was rewritten before, by place. A class that is redefined or retransformed is
// given the same numbers at the places that did not change, so that methods which are equal without us are equal with
// us: the JVM then treats the old and the new code as one (breakpoints reach frames of the old code). Made for one
// rewriting, used by one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "agent/site_table.h"

namespace deadheat::agent {

class FormerSites {
 public:
  // Those of `cls` in the table. Looks at the whole table: redefinitions are rare and cost the JVM far more.
  FormerSites(const SiteTable& sites, const ClassInfo& cls);

  // The number of the former site at this place, which names this field (owner, name and descriptor as field_key() has
  // them; empty: none); 0 if there is none. Several sites at one place are given out once each, in their old order.
  std::uint32_t take(const Site& place, std::string_view field_key);

 private:
  std::unordered_map<std::string, std::deque<std::uint32_t>> numbers_;
};

std::string field_key(std::string_view owner, std::string_view name, std::string_view descriptor);

}  // namespace deadheat::agent
