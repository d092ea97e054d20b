// SPDX-License-Identifier: Apache-2.0
#include "schedule/aim.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <tuple>

namespace deadheat::schedule {
namespace {

constexpr std::array<const char*, 4> kSurveys = {"", "nobody", "nobody-youngest", "nobody-random"};

template <typename Number>
bool parse_number(std::string_view digits, Number& number) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc{} && end == digits.data() + digits.size();
}

struct Half {
  std::string name;
  std::uint32_t visit;
};

// "0.1@3"; of a stop "0.1!3"
std::optional<Half> parse_half(std::string_view text, char mark = '@') {
  const std::size_t at = text.find(mark);
  if (at == 0 || at == std::string_view::npos) return std::nullopt;
  std::uint32_t visit = 0;
  if (!parse_number(text.substr(at + 1), visit) || visit == 0) return std::nullopt;
  return Half{std::string(text.substr(0, at)), visit};
}

// "nobody-random/7"
std::optional<SeenIn> parse_seen(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::optional<Survey> survey = parse_survey(text.substr(0, slash));
  std::uint64_t seed = 0;
  if (!survey || slash == std::string_view::npos || !parse_number(text.substr(slash + 1), seed)) return std::nullopt;
  return SeenIn{*survey, seed};
}

// "0.1!3:0.4@1/nobody-random/7/SITE"; a site may have anything in it.
std::optional<Aim> parse_aim_with_stop(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::size_t slash = text.find('/');
  const std::size_t seed = slash == std::string_view::npos ? slash : text.find('/', slash + 1);
  const std::size_t site = seed == std::string_view::npos ? seed : text.find('/', seed + 1);
  if (site == std::string_view::npos || site + 1 == text.size() || colon > slash) return std::nullopt;
  const auto first = parse_half(text.substr(0, colon), '!');
  const auto second = parse_half(text.substr(colon + 1, slash - colon - 1));
  const auto seen = parse_seen(text.substr(slash + 1, site - slash - 1));
  if (!first || !second || !seen) return std::nullopt;
  return Aim{first->name, 0, second->name, second->visit, seen, Stop{std::string(text.substr(site + 1)), first->visit}};
}

bool share(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](std::uint64_t lock) { return std::binary_search(b.begin(), b.end(), lock); });
}

}  // namespace

bool is_ancestor(std::string_view a, std::string_view b) {
  return b.size() > a.size() && b.starts_with(a) && b[a.size()] == '.';
}

const char* to_text(Survey survey) { return kSurveys[static_cast<std::size_t>(survey)]; }

std::optional<Survey> parse_survey(std::string_view text) {
  const auto found = std::find(kSurveys.begin() + 1, kSurveys.end(), text);
  if (found == kSurveys.end()) return std::nullopt;
  return static_cast<Survey>(found - kSurveys.begin());
}

std::string to_text(const Aim& aim) {
  std::string text = aim.first + (aim.stop ? '!' : '@') + std::to_string(aim.stop ? aim.stop->visit : aim.first_visit) +
                     ':' + aim.second + '@' + std::to_string(aim.second_visit);
  if (aim.seen) text += std::string("/") + to_text(aim.seen->survey) + '/' + std::to_string(aim.seen->seed);
  if (aim.stop) text += '/' + aim.stop->site;
  return text;
}

Result<Aim> parse_aim(std::string_view text) {
  if (auto aim = parse_aim_with_stop(text)) return std::move(*aim);
  const std::size_t slash = text.find('/');
  const std::string_view two = text.substr(0, slash);
  const std::size_t colon = two.find(':');
  const auto first = parse_half(two.substr(0, colon));
  const auto second = colon == std::string_view::npos ? std::nullopt : parse_half(two.substr(colon + 1));
  const auto seen = slash == std::string_view::npos ? std::nullopt : parse_seen(text.substr(slash + 1));
  if (!first || !second || (!seen && slash != std::string_view::npos)) {
    return Error{"'" + std::string(text) +
                 "' is no aim; one is THREAD@VISIT:THREAD@VISIT[/SURVEY/SEED] or "
                 "THREAD!VISIT:THREAD@VISIT/SURVEY/SEED/SITE"};
  }
  return Aim{first->name, first->visit, second->name, second->visit, seen, {}};
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

std::map<Visits::Rank, Visits::AimsOfThreads> Visits::ranked_aims() const {
  // By location, so that a long loop over other locations costs nothing. Extents are few and small: each location of
  // one is an entry.
  std::map<std::uint64_t, std::vector<const Visit*>> seconds;
  constexpr std::uint32_t kWidest = 64;
  for (const Visit& visit : visits_) {
    if (visit.op.site != pair_.second) continue;
    for (std::uint32_t i = 0; i < std::min(visit.op.extent, kWidest); ++i)
      seconds[visit.op.object + i].push_back(&visit);
  }
  std::map<Rank, AimsOfThreads> found;
  std::set<std::tuple<ThreadIndex, ThreadIndex, std::uint64_t>> seen;  // the first visits alone
  const bool same_site = pair_.first == pair_.second;  // then each two visits would be found in both orders
  const auto look = [&](const Visit& visit, const Visit& other, bool write_came_first) {
    if (!could_meet(visit, other) || (same_site && other.thread < visit.thread)) return;
    const auto [earlier, later] = std::minmax({&visit, &other});  // in the order in which they were made
    if ((writes(earlier->op.kind) && !writes(later->op.kind)) != write_came_first) return;
    if (!seen.emplace(visit.thread, other.thread, visit.op.object).second) return;
    const bool related = is_ancestor(visit.name, other.name) || is_ancestor(other.name, visit.name);
    found[{related, write_came_first}][{visit.thread, other.thread}].push_back(
        {visit.name, visit.number, other.name, other.number});
  };
  for (const bool write_came_first : {false, true}) {
    for (const Visit& visit : visits_) {
      if (visit.op.site != pair_.first) continue;
      for (std::uint32_t i = 0; i < std::min(visit.op.extent, kWidest); ++i) {
        const auto here = seconds.find(visit.op.object + i);
        if (here == seconds.end()) continue;
        for (const Visit* other : here->second) look(visit, *other, write_came_first);
      }
    }
  }
  return found;
}

std::vector<Aim> Visits::aims(std::size_t most, const std::optional<SeenIn>& survey) const {
  std::vector<Aim> aims;
  for (const auto& [rank, of_threads] : ranked_aims()) {
    bool any = true;
    for (std::size_t round = 0; any && aims.size() < most; ++round) {
      any = false;
      for (const auto& [threads, list] : of_threads) {
        if (round >= list.size() || aims.size() >= most) continue;
        aims.push_back(list[round]);
        if (!rank.write_came_first) aims.back().seen = survey;
        any = true;
      }
    }
  }
  return aims;
}

}  // namespace deadheat::schedule
