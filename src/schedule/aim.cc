// SPDX-License-Identifier: Apache-2.0
#include "schedule/aim.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace deadheat::schedule {
namespace {

struct Half {
  std::string name;
  std::uint32_t visit;
};

// "0.1@3"
std::optional<Half> parse_half(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == 0 || at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(at + 1);
  std::uint32_t visit = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), visit);
  if (error != std::errc{} || end != digits.data() + digits.size() || visit == 0) return std::nullopt;
  return Half{std::string(text.substr(0, at)), visit};
}

bool share(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](std::uint64_t lock) { return std::binary_search(b.begin(), b.end(), lock); });
}

}  // namespace

bool is_ancestor(std::string_view a, std::string_view b) {
  return b.size() > a.size() && b.starts_with(a) && b[a.size()] == '.';
}

std::string to_text(const Aim& aim) {
  return aim.first + '@' + std::to_string(aim.first_visit) + ':' + aim.second + '@' + std::to_string(aim.second_visit);
}

Result<Aim> parse_aim(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto first = parse_half(text.substr(0, colon));
  const auto second = colon == std::string_view::npos ? std::nullopt : parse_half(text.substr(colon + 1));
  if (!first || !second) return Error{"'" + std::string(text) + "' is no aim; one is THREAD@VISIT:THREAD@VISIT"};
  return Aim{first->name, first->visit, second->name, second->visit};
}

void Visits::add(const World& world, ThreadIndex thread, std::uint32_t visit, const RacePair& pair) {
  if (visits_.size() >= limit_) return;
  pair_ = pair;
  std::uint32_t started = world.thread_count();
  while (started > 0 && world.phase(ThreadIndex{started - 1}) == Phase::kNew) --started;
  visits_.push_back({thread, world.name(thread), visit, world.pending(thread), started, world.held_by(thread)});
}

bool Visits::could_meet(const Visit& first, const Visit& second) const {
  return first.op.site == pair_.first && second.op.site == pair_.second && first.thread != second.thread &&
         pair_.meet(first.op, second.op) && to_number(first.thread) < second.started &&
         to_number(second.thread) < first.started && !share(first.held, second.held);
}

std::vector<Aim> Visits::aims(std::size_t most) const {
  // By location, so that a long loop over other locations costs nothing. Extents are few and small: each location of
  // one is an entry.
  std::map<std::uint64_t, std::vector<const Visit*>> seconds;
  constexpr std::uint32_t kWidest = 64;
  for (const Visit& visit : visits_) {
    if (visit.op.site != pair_.second) continue;
    for (std::uint32_t i = 0; i < std::min(visit.op.extent, kWidest); ++i)
      seconds[visit.op.object + i].push_back(&visit);
  }
  using Threads = std::tuple<bool, ThreadIndex, ThreadIndex>;  // related ones behind all others
  std::map<Threads, std::vector<Aim>> found;
  std::set<std::tuple<ThreadIndex, ThreadIndex, std::uint64_t>> seen;  // the first visits alone
  const bool same_site = pair_.first == pair_.second;  // then each two visits would be found in both orders
  for (const Visit& visit : visits_) {
    if (visit.op.site != pair_.first) continue;
    for (std::uint32_t i = 0; i < std::min(visit.op.extent, kWidest); ++i) {
      const auto here = seconds.find(visit.op.object + i);
      if (here == seconds.end()) continue;
      for (const Visit* other : here->second) {
        if (!could_meet(visit, *other) || (same_site && other->thread < visit.thread)) continue;
        if (!seen.emplace(visit.thread, other->thread, visit.op.object).second) continue;
        const bool related = is_ancestor(visit.name, other->name) || is_ancestor(other->name, visit.name);
        found[{related, visit.thread, other->thread}].push_back({visit.name, visit.number, other->name, other->number});
      }
    }
  }
  std::vector<Aim> aims;
  for (const bool related : {false, true}) {
    bool any = true;
    for (std::size_t round = 0; any && aims.size() < most; ++round) {
      any = false;
      for (const auto& [threads, list] : found) {
        if (std::get<0>(threads) != related || round >= list.size() || aims.size() >= most) continue;
        aims.push_back(list[round]);
        any = true;
      }
    }
  }
  return aims;
}

}  // namespace deadheat::schedule
