// SPDX-License-Identifier: Apache-2.0
#include "agent/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

namespace deadheat::agent {

namespace {

std::vector<std::string> split_list(std::string_view text, char separator = ';') {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

bool parse_switch(std::string_view value, std::string_view on, std::string_view off, bool& into) {
  if (value != on && value != off) return false;
  into = value == on;
  return true;
}

template <typename Number>
bool parse_number(std::string_view value, Number& into) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), into);
  return error == std::errc{} && end == value.data() + value.size();
}

bool one_of(std::string_view value, std::initializer_list<std::string_view> names, std::string& into) {
  if (std::find(names.begin(), names.end(), value) == names.end()) return false;
  into = value;
  return true;
}

bool set_engine(Options& options, std::string_view value) {
  static constexpr std::array<std::string_view, 8> kNames = {"detect", "hit",     "count",    "off",
                                                             "hybrid", "lockset", "schedule", "relations"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (value == kNames[i]) {
      options.engine = static_cast<EngineKind>(i);
      return true;
    }
  }
  return false;
}

bool parse_number(std::string_view value, std::uint32_t most, std::uint32_t& into) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number > most) return false;
  into = number;
  return true;
}

constexpr std::uint32_t kMostArrayWords = 1 << 20;  // a terabyte

struct OptionRow {
  std::string_view name;
  std::string_view values;
  bool (*set)(Options&, std::string_view);
};

constexpr OptionRow kOptions[] = {
    {"dir", "FOLDER", [](Options& o, std::string_view v) { return o.directory = v, !v.empty(); }},
    {"engine", "detect|hit|count|off|hybrid|lockset|schedule|relations", set_engine},
    {"fast_path", "on|off", [](Options& o, std::string_view v) { return parse_switch(v, "on", "off", o.fast_path); }},
    {"redundant", "drop|keep",
     [](Options& o, std::string_view v) { return parse_switch(v, "drop", "keep", o.drop_redundant); }},
    {"history", "0…2097152", [](Options& o, std::string_view v) { return parse_number(v, kMostHistory, o.history); }},
    {"array_words", "MEGABYTES",
     [](Options& o, std::string_view v) { return parse_number(v, kMostArrayWords, o.array_words.emplace()); }},
    {"check_history", "on|off",
     [](Options& o, std::string_view v) { return parse_switch(v, "on", "off", o.check_history); }},
    {"allocations", "on|off",
     [](Options& o, std::string_view v) { return parse_switch(v, "on", "off", o.allocations); }},
    {"halt_on_error", "on|off",
     [](Options& o, std::string_view v) { return parse_switch(v, "on", "off", o.halt_on_error); }},
    {"dump", "on|off", [](Options& o, std::string_view v) { return parse_switch(v, "on", "off", o.dump_classes); }},
    {"include", "PATTERN;PATTERN…", [](Options& o, std::string_view v) { return o.include = split_list(v), true; }},
    {"atomic", "PATTERN;PATTERN…",
     [](Options& o, std::string_view v) { return o.schedule.atomic = split_list(v), true; }},
    {"methods", "PATTERN;PATTERN…",
     [](Options& o, std::string_view v) { return o.schedule.methods = split_list(v), true; }},
    {"atomic_methods", "public",
     [](Options& o, std::string_view v) { return o.schedule.atomic_public = v == "public", v == "public"; }},
    {"exclude", "PATTERN;PATTERN…", [](Options& o, std::string_view v) { return o.exclude = split_list(v), true; }},
    {"strategy", "random|pct|pos|race|replay|guided|slices|events",
     [](Options& o, std::string_view v) {
       return one_of(v, {"random", "pct", "pos", "race", "replay", "guided", "slices", "events"}, o.schedule.strategy);
     }},
    {"detect", "on|off",
     [](Options& o, std::string_view v) { return parse_switch(v, "on", "off", o.schedule.detect); }},
    {"trace", "on|off", [](Options& o, std::string_view v) { return parse_switch(v, "on", "off", o.schedule.trace); }},
    {"decisions", "on|off",
     [](Options& o, std::string_view v) { return parse_switch(v, "on", "off", o.schedule.decisions); }},
    {"seed", "NUMBER", [](Options& o, std::string_view v) { return parse_number(v, o.schedule.seed); }},
    {"depth", "NUMBER", [](Options& o, std::string_view v) { return parse_number(v, o.schedule.depth); }},
    {"expected_steps", "NUMBER",
     [](Options& o, std::string_view v) { return parse_number(v, o.schedule.expected_steps); }},
    {"step_limit", "NUMBER", [](Options& o, std::string_view v) { return parse_number(v, o.schedule.step_limit); }},
    {"time_limit", "SECONDS", [](Options& o, std::string_view v) { return parse_number(v, o.schedule.time_limit); }},
    {"at", "SITE|SITE…", [](Options& o, std::string_view v) { return o.schedule.sites = split_list(v, '|'), true; }},
    {"first", "coin|1|2",
     [](Options& o, std::string_view v) {
       return one_of(v, {"coin", "1", "2"}, o.schedule.resolution);
     }},
    {"aim",
     "THREAD@VISIT:THREAD@VISIT[/SURVEY/SEED]|THREAD!VISIT:THREAD@VISIT/SURVEY/SEED/"
     "SITE|first|second|either|nobody|nobody-youngest|nobody-random",
     [](Options& o, std::string_view v) { return o.schedule.aim = v, !v.empty(); }},
    {"lead", "NUMBER", [](Options& o, std::string_view v) { return parse_number(v, o.schedule.lead); }},
    {"replay", "FILE", [](Options& o, std::string_view v) { return o.schedule.replay = v, !v.empty(); }},
    {"plan", "FILE", [](Options& o, std::string_view v) { return o.schedule.replay = v, !v.empty(); }},
    {"until", "end|race",
     [](Options& o, std::string_view v) { return parse_switch(v, "race", "end", o.schedule.until_race); }},
    {"agents", "apart|mixed",
     [](Options& o, std::string_view v) { return parse_switch(v, "apart", "mixed", o.schedule.agents_apart); }},
    {"hunt", "drfinder|contest",
     [](Options& o, std::string_view v) {
       return one_of(v, {"drfinder", "contest"}, o.hunt.strategy);
     }},
    {"relations", "FILE", [](Options& o, std::string_view v) { return o.hunt.relations = v, !v.empty(); }},
    {"hunt_depth", "1…100",
     [](Options& o, std::string_view v) { return parse_number(v, 100, o.hunt.depth) && o.hunt.depth > 0; }},
    {"hold_limit", "MILLISECONDS",
     [](Options& o, std::string_view v) { return parse_number(v, 3'600'000, o.hunt.hold_limit); }},
    {"hold_share", "PERCENT", [](Options& o, std::string_view v) { return parse_number(v, 1000, o.hunt.hold_share); }},
    {"clock", "MILLISECONDS", [](Options& o, std::string_view v) { return parse_number(v, o.schedule.clock); }},
};

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decode(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      plain += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

Status set_option(Options& options, std::string_view pair) {
  const std::size_t equals = pair.find('=');
  const std::string_view name = pair.substr(0, equals);
  const std::string value = equals == std::string_view::npos ? "" : decode(pair.substr(equals + 1));
  for (const OptionRow& row : kOptions) {
    if (row.name != name) continue;
    if (row.set(options, value)) return Ok{};
    return Error{"agent option " + std::string(name) + ": '" + value + "' is none of " + std::string(row.values)};
  }
  return Error{"there is no agent option '" + std::string(name) + "'; there are:" + option_help()};
}

}  // namespace

std::string option_help() {
  std::string text;
  for (const OptionRow& row : kOptions) text += " " + std::string(row.name) + "=" + std::string(row.values);
  return text;
}

Result<Options> parse_options(std::string_view text) {
  Options options;
  while (!text.empty()) {
    const std::size_t end = text.find(',');
    if (end != 0) {
      Status set = set_option(options, text.substr(0, end));
      if (!set.ok()) return set.error();
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  // Engines that find no races have no use for stacks.
  if (options.engine == EngineKind::kAlwaysHit || options.engine == EngineKind::kCount) options.history = 0;
  if (options.schedule.detect && (options.schedule.trace || !options.schedule.sites.empty())) {
    return Error{"agent option detect=on goes with neither trace=on nor at=…: a run looks for races or is recorded"};
  }
  return options;
}

}  // namespace deadheat::agent
