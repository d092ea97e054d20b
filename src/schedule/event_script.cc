// SPDX-License-Identifier: Apache-2.0
#include "schedule/event_script.h"

#include <charconv>

namespace deadheat::schedule {
namespace {

constexpr std::string_view kHead = "deadheat-events 1";
constexpr auto kKinds = static_cast<std::uint32_t>(model::EventKind::kMethodExit) + 1;

std::string_view take(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  const std::string_view word = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return word;
}

bool take_number(std::string_view& line, std::uint32_t& into) {
  const std::string_view word = take(line, ' ');
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), into);
  return error == std::errc() && end == word.data() + word.size() && !word.empty();
}

class Parser {
 public:
  explicit Parser(const SiteNumber& site_number) : site_number_(site_number) { sites_.emplace_back(); }

  bool line(std::string_view text) {
    const std::string_view word = take(text, ' ');
    if (word == "thread") {
      script_.threads.emplace_back(text);
      return !text.empty();
    }
    if (word == "site") {
      sites_.push_back(site_number_(text));
      return !text.empty();
    }
    if (word == "event") return event(text);
    if (word == "step") {
      EventScript::Step step;
      if (!take_number(text, step.event) || !take_number(text, step.variable) || !text.empty()) return false;
      if (step.event >= script_.events.size()) return false;
      script_.steps.push_back(step);
      return true;
    }
    if (word == "adjacent") script_.adjacent = true;
    if (word == "end") ended_ = true;
    return (word == "adjacent" || word == "end") && text.empty();
  }
  bool has_ended() const { return ended_; }
  bool holds_together() const {
    const std::size_t events = script_.events.size();
    if (!ended_ || script_.steps.empty()) return false;
    if (!script_.adjacent) return true;
    return script_.steps.size() == 2 && events >= 2 && script_.steps[0].event == events - 2 &&
           script_.steps[1].event == events - 1 &&
           script_.events[events - 1].thread != script_.events[events - 2].thread;
  }
  EventScript take_script() { return std::move(script_); }

 private:
  bool event(std::string_view text) {
    ScriptEvent event;
    std::uint32_t kind = 0;
    std::uint32_t site = 0;
    std::uint32_t soft = 0;
    if (!take_number(text, event.thread) || !take_number(text, kind) || !take_number(text, site)) return false;
    if (event.thread >= script_.threads.size() || kind >= kKinds || site >= sites_.size()) return false;
    std::string_view peer = take(text, ' ');
    if (peer != "-") {
      std::uint32_t number = 0;
      if (!take_number(peer, number) || number >= script_.threads.size()) return false;
      event.peer = number;
    }
    if (!take_number(text, soft) || soft > 1 || !text.empty()) return false;
    event.kind = static_cast<model::EventKind>(kind);
    event.site = sites_[site];
    event.soft = soft == 1;
    script_.events.push_back(event);
    return true;
  }

  const SiteNumber& site_number_;
  std::vector<model::SiteId> sites_;
  EventScript script_;
  bool ended_ = false;
};

}  // namespace

std::string to_text(const EventScript& script, const std::vector<std::string>& sites) {
  std::string text(kHead);
  text += "\n";
  for (const std::string& thread : script.threads) text += "thread " + thread + "\n";
  for (const std::string& site : sites) text += "site " + site + "\n";
  for (const ScriptEvent& event : script.events) {
    text += "event " + std::to_string(event.thread) + " " + std::to_string(static_cast<unsigned>(event.kind)) + " " +
            std::to_string(to_number(event.site)) + " " + (event.peer ? std::to_string(*event.peer) : "-") +
            (event.soft ? " 1\n" : " 0\n");
  }
  for (const EventScript::Step& step : script.steps) {
    text += "step " + std::to_string(step.event) + " " + std::to_string(step.variable) + "\n";
  }
  if (script.adjacent) text += "adjacent\n";
  return text + "end\n";
}

Result<EventScript> parse_event_script(std::string_view text, const SiteNumber& site_number) {
  if (take(text, '\n') != kHead) return Error{"line 1 is not '" + std::string(kHead) + "'"};
  Parser parser(site_number);
  for (std::size_t number = 2; !text.empty() && !parser.has_ended(); ++number) {
    if (!parser.line(take(text, '\n'))) return Error{"line " + std::to_string(number) + " of the schedule is none"};
  }
  if (!parser.holds_together()) return Error{"the schedule breaks off, or has no anomaly at its end"};
  return parser.take_script();
}

}  // namespace deadheat::schedule
