// SPDX-License-Identifier: Apache-2.0
#include "cli/stop_aims.h"

#include <fmt/format.h>

#include "predict/stops.h"
#include "trace/load.h"
#include "trace/location.h"

namespace deadheat::cli {
namespace {

// What is longer takes minutes to look at, and as long to record, for every pair.
constexpr std::size_t kMostEvents = 3'000'000;

}  // namespace

Result<std::vector<std::string>> stop_aims(const std::filesystem::path& trace_file, const SitePair& pair,
                                           const schedule::SeenIn& seen) {
  Result<trace::Loaded> loaded = trace::load(trace_file.string());
  if (!loaded) return loaded.error();
  const trace::Trace& trace = loaded.value().trace;
  if (!loaded.value().problems.none()) return Error{"a recorded run could not be read"};
  if (trace.events.size() > kMostEvents) {
    return Error{
        fmt::format("a run has {} events, and no more than {} are looked at", trace.events.size(), kMostEvents)};
  }
  predict::PairSites sites{std::vector<bool>(trace.sites.size() + 1), std::vector<bool>(trace.sites.size() + 1)};
  std::vector<std::string> names(trace.sites.size() + 1);
  for (std::uint32_t i = 1; i <= trace.sites.size(); ++i) {
    names[i] = trace::parse_location(trace.sites.text(i)).site;
    sites.first[i] = names[i] == pair[0];
    sites.second[i] = names[i] == pair[1];
  }
  std::vector<std::string> aims;
  for (const predict::Stop& stop : predict::find_stops(trace, sites)) {
    const model::Event& before = trace.events[stop.before - 1];
    const model::Event& until = trace.events[stop.until - 1];
    const std::string& site = names[to_number(before.site)];
    if (site.empty()) continue;
    aims.push_back(to_text(schedule::Aim{trace.threads.text(to_number(before.thread)), 0,
                                         trace.threads.text(to_number(until.thread)), stop.until_visit, seen,
                                         schedule::Stop{site, stop.visit}}));
  }
  return aims;
}

std::vector<std::string> sites_for(const SitePair& pair, std::string_view aim) {
  const Result<schedule::Aim> parsed = schedule::parse_aim(aim);
  if (!parsed || !parsed.value().stop || pair.size() != 2) return pair;
  return {pair[0], parsed.value().stop->site, pair[1]};
}

}  // namespace deadheat::cli
