// SPDX-License-Identifier: Apache-2.0
#include "predict/pattern.h"

#include <algorithm>
#include <array>

namespace deadheat::predict {

namespace {

struct Known {
  PatternKind kind;
  const char* name;
  const char* steps;  // kind of access, number of the variable, ' for the second thread
};

// The numbers of the atomic-set shapes are those of docs/prediction.md; 1 to 5 are the triples.
constexpr Known kKnown[] = {
    {PatternKind::kDataRace, "race-read-write", "r1 w1'"},
    {PatternKind::kDataRace, "race-write-write", "w1 w1'"},
    {PatternKind::kAtomicityViolation, "stale-update", "r1 w1' w1"},
    {PatternKind::kAtomicityViolation, "unrepeatable-read", "r1 w1' r1"},
    {PatternKind::kAtomicityViolation, "intermediate-read", "w1 r1' w1"},
    {PatternKind::kAtomicityViolation, "own-write-lost", "w1 w1' r1"},
    {PatternKind::kAtomicityViolation, "foreign-write-lost", "w1 w1' w1"},
    {PatternKind::kAtomicSetViolation, "asv-6", "w1 w1' w2' w2"},
    {PatternKind::kAtomicSetViolation, "asv-7", "w1 w2' w2 w1'"},
    {PatternKind::kAtomicSetViolation, "asv-8", "w1 r1' r2' w2"},
    {PatternKind::kAtomicSetViolation, "asv-9", "w1 r2' w2 r1'"},
    {PatternKind::kAtomicSetViolation, "asv-10", "r1 w1' w2' r2"},
    {PatternKind::kAtomicSetViolation, "asv-11", "r1 w2' r2 w1'"},
    {PatternKind::kAtomicSetViolation, "asv-12", "w1 w2' w1' w2"},
    {PatternKind::kAtomicSetViolation, "asv-13", "w1 r2' r1' w2"},
    {PatternKind::kAtomicSetViolation, "asv-14", "r1 w2' w1' r2"},
};

std::vector<PatternStep> steps_of(std::string_view text) {
  std::vector<PatternStep> steps;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != 'r' && text[i] != 'w') continue;
    const bool second = i + 2 < text.size() && text[i + 2] == '\'';
    steps.push_back({.thread = second,
                     .variable = static_cast<std::uint8_t>(text[i + 1] - '1'),
                     .unit = second,
                     .is_write = text[i] == 'w'});
  }
  return steps;
}

bool is_equal(const std::vector<PatternStep>& a, const std::vector<PatternStep>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PatternStep& x, const PatternStep& y) {
    return x.thread == y.thread && x.variable == y.variable && x.is_write == y.is_write;
  });
}

// Two units: a cycle is an edge each way.
bool is_serialisable(const std::vector<PatternStep>& steps) {
  std::array<bool, 2> edge_from{};
  for (std::size_t a = 0; a < steps.size(); ++a) {
    for (std::size_t b = a + 1; b < steps.size(); ++b) {
      if (steps[a].thread != steps[b].thread && steps[a].variable == steps[b].variable &&
          (steps[a].is_write || steps[b].is_write)) {
        edge_from[steps[a].thread] = true;
      }
    }
  }
  return !(edge_from[0] && edge_from[1]);
}

// All interleavings of two units with one access each to two variables: the first unit begins, and with variable 1.
std::vector<std::vector<PatternStep>> two_variable_shapes() {
  constexpr const char* kOrders[] = {"0011", "0101", "0110"};
  std::vector<std::vector<PatternStep>> shapes;
  for (const char* order : kOrders) {
    for (unsigned second_begins_with = 0; second_begins_with < 2; ++second_begins_with) {
      for (unsigned kinds = 0; kinds < 16; ++kinds) {
        std::vector<PatternStep> steps;
        std::array<unsigned, 2> next{0, second_begins_with};
        for (unsigned i = 0; i < 4; ++i) {
          const auto unit = static_cast<std::uint8_t>(order[i] - '0');
          steps.push_back({unit, static_cast<std::uint8_t>(next[unit]), unit, (kinds >> i & 1) != 0});
          next[unit] = 1 - next[unit];
        }
        shapes.push_back(steps);
      }
    }
  }
  return shapes;
}

std::vector<Pattern> make_known() {
  std::vector<Pattern> patterns;
  for (const Known& known : kKnown) {
    patterns.push_back({known.name, known.kind, known.kind == PatternKind::kDataRace, steps_of(known.steps)});
  }
  for (const auto& shape : two_variable_shapes()) {
    if (is_serialisable(shape)) continue;
    if (std::any_of(patterns.begin(), patterns.end(), [&](const Pattern& p) { return is_equal(p.steps, shape); }))
      continue;
    Pattern pattern{"", PatternKind::kNotSerialisable, false, shape};
    pattern.name = pattern_text(pattern);
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

}  // namespace

std::string pattern_text(const Pattern& pattern) {
  std::string text;
  for (const PatternStep& step : pattern.steps) {
    if (!text.empty()) text += ' ';
    text += step.is_write ? 'W' : 'R';
    text.append(step.thread, '\'');
    text += "(l" + std::to_string(step.variable + 1) + ")";
  }
  return text;
}

std::span<const Pattern> known_patterns() {
  static const std::vector<Pattern> patterns = make_known();
  return patterns;
}

}  // namespace deadheat::predict
