// SPDX-License-Identifier: Apache-2.0
#include "schedule/plan_file.h"

#include <charconv>

namespace deadheat::schedule {
namespace {

// The text up to the next `end`, which is taken off with it.
std::string_view take(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  const std::string_view word = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return word;
}

template <typename Number>
bool take_number(std::string_view& line, Number& into) {
  const std::string_view word = take(line, ' ');
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), into);
  return error == std::errc() && end == word.data() + word.size() && !word.empty();
}

bool parse_line(std::string_view line, Plan& plan) {
  const std::string_view kind = take(line, ' ');
  const std::string thread(take(line, ' '));
  if (thread.empty()) return false;
  if (kind == "run") {
    PlannedRun run{thread, 0};
    if (!take_number(line, run.until)) return false;
    plan.runs.push_back(std::move(run));
  } else if (kind == "choice") {
    Plan::Choice choice{thread, 0, 0};
    if (!take_number(line, choice.index) || !take_number(line, choice.picked)) return false;
    plan.choices.push_back(std::move(choice));
  } else {
    return false;
  }
  return line.empty();
}

}  // namespace

std::string to_text(const Plan& plan) {
  std::string text;
  for (const PlannedRun& run : plan.runs) text += "run " + run.thread + " " + std::to_string(run.until) + "\n";
  for (const Plan::Choice& choice : plan.choices) {
    text += "choice " + choice.thread + " " + std::to_string(choice.index) + " " + std::to_string(choice.picked) + "\n";
  }
  return text;
}

Result<Plan> parse_plan(std::string_view text) {
  Plan plan;
  for (std::size_t number = 1; !text.empty(); ++number) {
    if (!parse_line(take(text, '\n'), plan)) return Error{"line " + std::to_string(number) + " of the plan is none"};
  }
  return plan;
}

}  // namespace deadheat::schedule
