// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "report/json_fields.h"
#include "report/verdict.h"

namespace deadheat::report {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 5> kHarmNames = {"exception", "exit", "deadlock", "crash", "output"};
constexpr std::array<const char*, 4> kOrderNames = {"not tried", "incomplete", "no difference seen", "different"};
constexpr std::array<VerdictKind, 3> kVerdictKinds = {VerdictKind::kNotConfirmed, VerdictKind::kReal,
                                                      VerdictKind::kHarmful};

template <typename Enum, std::size_t kSize>
Enum named(const std::array<const char*, kSize>& names, const std::string& name, Enum fallback) {
  for (std::size_t i = 0; i < kSize; ++i) {
    if (name == names[i]) return static_cast<Enum>(i);
  }
  return fallback;
}

VerdictKind verdict_kind_named(const std::string& name) {
  for (const VerdictKind kind : kVerdictKinds) {
    if (name == verdict_name(kind)) return kind;
  }
  return VerdictKind::kNotConfirmed;
}

json pairs_to_json(const std::vector<PairTried>& pairs) {
  json list = json::array();
  for (const PairTried& pair : pairs) {
    list.push_back({{"sites", {pair.first, pair.second}},
                    {"verdict", verdict_name(pair.kind)},
                    {"tries", pair.tries},
                    {"met", pair.met}});
  }
  return list;
}

std::vector<PairTried> pairs_from_json(const json& list) {
  std::vector<PairTried> pairs;
  if (!list.is_array()) return pairs;
  for (const json& value : list) {
    std::vector<std::string> sites = texts_member(value, "sites");
    sites.resize(2);
    pairs.push_back({std::move(sites[0]), std::move(sites[1]), verdict_kind_named(text_member(value, "verdict")),
                     count_member(value, "tries"), count_member(value, "met")});
  }
  return pairs;
}

json harm_to_json(const Harm& harm) {
  json value = {{"kind", kHarmNames[static_cast<std::size_t>(harm.kind)]},
                {"what", harm.what},
                {"seed", harm.seed},
                {"order", harm.order}};
  if (!harm.went_first.empty()) value["went_first"] = harm.went_first;
  if (harm.uncaught) value["uncaught"] = uncaught_to_json(*harm.uncaught);
  if (harm.deadlock) value["deadlock"] = deadlock_to_json(*harm.deadlock);
  return value;
}

Harm harm_from_json(const json& value) {
  Harm harm;
  harm.kind = named(kHarmNames, text_member(value, "kind"), HarmKind::kExit);
  harm.what = text_member(value, "what");
  harm.seed = count_member(value, "seed");
  harm.order = text_member(value, "order");
  harm.went_first = text_member(value, "went_first");
  if (member(value, "uncaught").is_object()) harm.uncaught = uncaught_from_json(member(value, "uncaught"));
  if (member(value, "deadlock").is_object()) harm.deadlock = deadlock_from_json(member(value, "deadlock"));
  return harm;
}

json harms_to_json(const std::vector<Harm>& harms) {
  json list = json::array();
  for (const Harm& harm : harms) list.push_back(harm_to_json(harm));
  return list;
}

std::vector<Harm> harms_from_json(const json& list) {
  std::vector<Harm> harms;
  if (!list.is_array()) return harms;
  for (const json& harm : list) harms.push_back(harm_from_json(harm));
  return harms;
}

}  // namespace

json verdict_to_json(const Verdict& verdict) {
  json value = {{"race", verdict.race},
                {"verdict", verdict_name(verdict.kind)},
                {"tries", verdict.tries},
                {"met", verdict.met},
                {"harmful_tries", verdict.harmful_tries},
                {"seed", verdict.seed},
                {"harms", harms_to_json(verdict.harms)},
                {"orders", kOrderNames[static_cast<std::size_t>(verdict.orders)]},
                {"differences", verdict.differences},
                {"obstacles", verdict.obstacles}};
  if (!verdict.other_exceptions.empty()) value["other_exceptions"] = harms_to_json(verdict.other_exceptions);
  if (!verdict.went_first.empty()) value["went_first"] = verdict.went_first;
  if (!verdict.unlike_control.empty()) value["unlike_control"] = verdict.unlike_control;
  if (verdict.meeting) value["meeting"] = meeting_to_json(*verdict.meeting);
  if (!verdict.clip.empty()) value["clip"] = verdict.clip;
  if (verdict.pairs.size() > 1) value["pairs"] = pairs_to_json(verdict.pairs);
  if (verdict.pairs_left > 0) value["pairs_left"] = verdict.pairs_left;
  if (verdict.search.recordings > 0) {
    value["search"] = {{"recordings", verdict.search.recordings}, {"executions", verdict.search.executions}};
    if (!verdict.search.given_up.empty()) value["search"]["given_up"] = verdict.search.given_up;
  }
  if (verdict.timed_out > 0) value["timed_out"] = verdict.timed_out;
  if (verdict.interrupted) value["interrupted"] = true;
  return value;
}

Verdict verdict_from_json(const json& value) {
  Verdict verdict;
  verdict.race = text_member(value, "race");
  verdict.kind = verdict_kind_named(text_member(value, "verdict"));
  verdict.tries = count_member(value, "tries");
  verdict.met = count_member(value, "met");
  verdict.harmful_tries = count_member(value, "harmful_tries");
  verdict.seed = count_member(value, "seed");
  if (member(value, "meeting").is_object()) verdict.meeting = meeting_from_json(member(value, "meeting"));
  verdict.harms = harms_from_json(member(value, "harms"));
  verdict.other_exceptions = harms_from_json(member(value, "other_exceptions"));
  verdict.went_first = texts_member(value, "went_first");
  verdict.orders = named(kOrderNames, text_member(value, "orders"), OrdersCompared::kNotTried);
  verdict.differences = texts_member(value, "differences");
  verdict.unlike_control = text_member(value, "unlike_control");
  verdict.obstacles = texts_member(value, "obstacles");
  verdict.clip = text_member(value, "clip");
  verdict.pairs = pairs_from_json(member(value, "pairs"));
  verdict.pairs_left = count_member(value, "pairs_left");
  const json& search = member(value, "search");
  verdict.search = {static_cast<std::uint32_t>(count_member(search, "recordings")),
                    static_cast<std::uint32_t>(count_member(search, "executions")), text_member(search, "given_up")};
  verdict.timed_out = count_member(value, "timed_out");
  verdict.interrupted = bool_member(value, "interrupted", false);
  return verdict;
}

}  // namespace deadheat::report
