// SPDX-License-Identifier: Apache-2.0
#include "agent/former_sites.h"

namespace deadheat::agent {

namespace {

std::string place_key(const Site& site, std::string_view field) {
  std::string key;
  for (const std::uint32_t part : {std::uint32_t{site.method}, std::uint32_t{site.bytecode_index},
                                   std::uint32_t{site.line}, std::uint32_t{site.is_static}})
    key.append(std::to_string(part)).append(1, ' ');
  return key.append(field);
}

}  // namespace

std::string field_key(std::string_view owner, std::string_view name, std::string_view descriptor) {
  std::string key(owner);
  return key.append(1, '.').append(name).append(1, ':').append(descriptor);
}

FormerSites::FormerSites(const SiteTable& sites, const ClassInfo& cls) {
  const std::uint32_t last = sites.size();
  for (std::uint32_t number = 1; number <= last; ++number) {
    const Site& site = sites.at(number);
    if (site.in != &cls) continue;
    const FieldUse* use = site.field;
    const std::string field = use == nullptr ? "" : field_key(use->owner, use->name, use->descriptor);
    numbers_[place_key(site, field)].push_back(number);
  }
}

std::uint32_t FormerSites::take(const Site& place, std::string_view field) {
  const auto found = numbers_.find(place_key(place, field));
  if (found == numbers_.end() || found->second.empty()) return 0;
  const std::uint32_t number = found->second.front();
  found->second.pop_front();
  return number;
}

}  // namespace deadheat::agent
