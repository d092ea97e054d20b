// SPDX-License-Identifier: Apache-2.0
#include "cli/line_pairs.h"

#include <algorithm>

namespace deadheat::cli {
namespace {

using report::AccessSite;

// The site itself first.
std::vector<AccessSite> sites_of_line(const report::Access& access, const std::vector<report::WantedSite>& seen) {
  std::vector<AccessSite> sites = {{access.site, access.write}};
  for (const report::WantedSite& wanted : seen) {
    if (wanted.name != access.site) continue;
    for (const AccessSite& other : wanted.beside) {
      const bool known = std::any_of(sites.begin(), sites.end(), [&](const auto& s) { return s.name == other.name; });
      if (!known) sites.push_back(other);
    }
  }
  return sites;
}

bool same(const SitePair& a, const SitePair& b) { return a == b || (a[0] == b[1] && a[1] == b[0]); }

}  // namespace

SitePair recorded_pair(const report::Race& race) {
  if (race.accesses.size() < 2 || race.accesses[0].site.empty() || race.accesses[1].site.empty()) return {};
  return {race.accesses[0].site, race.accesses[1].site};
}

std::vector<SitePair> further_pairs(const report::Race& race, const std::vector<report::WantedSite>& seen) {
  const SitePair recorded = recorded_pair(race);
  if (recorded.empty()) return {};
  std::vector<SitePair> pairs = {recorded};
  for (const AccessSite& first : sites_of_line(race.accesses[0], seen)) {
    for (const AccessSite& second : sites_of_line(race.accesses[1], seen)) {
      SitePair pair = {first.name, second.name};
      if (!first.write && !second.write) continue;
      if (std::any_of(pairs.begin(), pairs.end(), [&](const SitePair& known) { return same(known, pair); })) continue;
      pairs.push_back(std::move(pair));
    }
  }
  pairs.erase(pairs.begin());
  const auto shares = [&](const SitePair& pair) { return pair[0] == recorded[0] || pair[1] == recorded[1]; };
  std::stable_partition(pairs.begin(), pairs.end(), shares);
  return pairs;
}

}  // namespace deadheat::cli
