// SPDX-License-Identifier: Apache-2.0
#include "report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "report/utf8.h"

namespace deadheat::report {
namespace {

// What makes two exceptions the same one for us: class and innermost frame.
std::string exception_key(const Uncaught& uncaught) {
  std::string key = uncaught.exception;
  if (!uncaught.stack.empty()) {
    key +=
        fmt::format(" in {} ({})", qualified_method(uncaught.stack.front()), source_position(uncaught.stack.front()));
  }
  return key;
}

std::set<std::string> exception_keys(const Execution& run) {
  std::set<std::string> keys;
  for (const Uncaught& uncaught : run.records.uncaught) keys.insert(exception_key(uncaught));
  return keys;
}

bool deadlocked(const Execution& run) { return !run.records.deadlocks.empty(); }

std::string end_of(const Execution& run) {
  if (run.timed_out) return "ran into the time limit";
  if (deadlocked(run)) return "ended in a deadlock";
  if (run.signal != 0) return fmt::format("was killed by signal {}", run.signal);
  return fmt::format("exited with status {}", run.exit_status);
}

bool met(const Execution& run) { return !run.records.meetings.empty(); }

std::string deadlock_line(const Deadlock& deadlock) {
  return deadlock.cycle.empty() ? fmt::format("deadlock: {} threads wait for ever", deadlock.threads.size())
                                : fmt::format("deadlock: a cycle of {} threads", deadlock.cycle.size());
}

// The access that went first when they met; empty: they did not.
std::string went_first(const Execution& run) {
  if (!met(run)) return {};
  const Meeting& meeting = run.records.meetings.front();
  if (meeting.first >= meeting.accesses.size()) return {};
  const Access& access = meeting.accesses[meeting.first];
  if (access.stack.empty()) return {};
  return fmt::format("the {} in {} ({})", access.write ? "write" : "read", qualified_method(access.stack.front()),
                     source_position(access.stack.front()));
}

std::string exception_line(const Uncaught& uncaught) { return "uncaught " + exception_key(uncaught); }

// What a thread died of before so many meetings and the control does not come to, if any did.
const Uncaught* failure_before(const Execution& run, std::size_t meetings, const std::set<std::string>& usual) {
  for (const Uncaught& uncaught : run.records.uncaught) {
    if (uncaught.meetings_before < meetings && !usual.contains(exception_line(uncaught))) return &uncaught;
  }
  return nullptr;
}

std::optional<Harm> bad_exit(const Execution& run, const Expectation& expectation) {
  // The scheduler itself ends a process that is deadlocked or out of time.
  if (run.timed_out || deadlocked(run)) return std::nullopt;
  if (run.signal != 0) {
    return Harm{HarmKind::kCrash, fmt::format("the program {}", end_of(run)), run.seed, run.order, {}, {}};
  }
  const int expected = expectation.exit.value_or(0);
  if (run.exit_status == expected) return std::nullopt;
  return Harm{
      HarmKind::kExit, fmt::format("exit status {}, not {}", run.exit_status, expected), run.seed, run.order, {}, {}};
}

// Everything bad that the execution came to after so many meetings, and that need not follow from a failure before.
std::vector<Harm> bad_ends(const Execution& run, std::size_t meetings, const Expectation& expectation,
                           const std::set<std::string>& usual) {
  const bool failed = failure_before(run, meetings, usual) != nullptr;
  std::vector<Harm> ends;
  for (const Uncaught& uncaught : run.records.uncaught) {
    if (uncaught.meetings_before < meetings) continue;
    ends.push_back({HarmKind::kException, exception_line(uncaught), run.seed, run.order, uncaught, {}});
  }
  for (const Deadlock& deadlock : run.records.deadlocks) {
    if (deadlock.meetings_before < meetings || (failed && deadlock.cycle.empty())) continue;
    ends.push_back({HarmKind::kDeadlock, deadlock_line(deadlock), run.seed, run.order, {}, deadlock});
  }
  auto end = bad_exit(run, expectation);
  if (end && !(failed && end->kind == HarmKind::kExit)) ends.push_back(std::move(*end));
  if (!run.matched.empty() && !failed) {
    ends.push_back({HarmKind::kOutput, fmt::format("the output has '{}'", run.matched), run.seed, run.order, {}, {}});
  }
  for (Harm& harm : ends) harm.went_first = went_first(run);
  return ends;
}

std::set<std::string> lines_of(const std::vector<Harm>& ends) {
  std::set<std::string> lines;
  for (const Harm& end : ends) lines.insert(end.what);
  return lines;
}

void add_sites(const std::vector<Execution>& tries, std::vector<std::string>& lines) {
  std::vector<WantedSite> sites;
  bool known = false;
  for (const Execution& run : tries) {
    if (!run.records.outcome) continue;
    for (const WantedSite& site : run.records.outcome->sites) {
      known = true;
      auto same = std::find_if(sites.begin(), sites.end(), [&](const WantedSite& s) { return s.name == site.name; });
      if (same == sites.end()) {
        sites.push_back(site);
      } else {
        same->found |= site.found;
        same->reached |= site.reached;
        same->unheld |= site.unheld;
        if (same->outside.empty()) same->outside = site.outside;
      }
    }
  }
  bool all_reached = known;
  for (const WantedSite& site : sites) {
    if (!site.found) {
      lines.push_back(
          fmt::format("no such site was rewritten: {}; has the program changed since the race was seen? "
                      "'deadheat run' looks for its races anew",
                      site.name));
    } else if (!site.reached && site.unheld) {
      lines.push_back(fmt::format(
          "{} is run by a class initialiser, or while a class is loaded, where no thread is held", site.name));
    } else if (!site.outside.empty()) {
      lines.push_back(fmt::format("a thread outside control came to {}: \"{}\"", site.name, site.outside));
    } else if (!site.reached) {
      lines.push_back(fmt::format("no thread came to {}", site.name));
    }
    all_reached &= site.found && site.reached;
  }
  if (all_reached) {
    lines.emplace_back("both places were reached, but never by two threads at once with the same variable");
  }
}

std::vector<std::string> obstacles_of(const std::vector<Execution>& tries, const std::set<std::string>& usual) {
  std::vector<std::string> lines;
  add_sites(tries, lines);
  std::uint64_t failed = 0, uncontrolled = 0, unfinished = 0, thrashing = 0, livelock = 0, aside = 0;
  const Stack* where = nullptr;
  std::string failure;
  for (const Execution& run : tries) {
    if (const Uncaught* uncaught = failure_before(run, 1, usual)) {
      ++failed;
      if (failure.empty()) failure = exception_line(*uncaught);
    }
    uncontrolled += run.under_control ? 0 : 1;
    if (run.under_control && !run.records.outcome && !run.timed_out) ++unfinished;
    if (!run.records.asides.empty() && where == nullptr) where = &run.records.asides.front();
    if (!run.records.outcome) continue;
    thrashing += run.records.outcome->thrashing_releases;
    livelock += run.records.outcome->livelock_releases;
    aside += run.records.outcome->put_aside;
  }
  if (uncontrolled > 0) lines.push_back(fmt::format("in {} tries no JVM came up under control", uncontrolled));
  if (failed > 0) lines.push_back(fmt::format("in {} tries the program failed without them: {}", failed, failure));
  if (unfinished > 0) lines.push_back(fmt::format("in {} tries the JVM was killed or crashed", unfinished));
  if (thrashing > 0) {
    lines.push_back(fmt::format("{} times everybody was held back, and one thread had to be let go", thrashing));
  }
  if (livelock > 0) lines.push_back(fmt::format("{} times a thread was held for too long and let go", livelock));
  if (aside > 0) {
    const Frame* frame = where == nullptr ? nullptr : first_application_frame(*where);
    lines.push_back(fmt::format(
        "{} times a thread blocked outside of what deadheat controls{}", aside,
        frame == nullptr ? std::string()
                         : fmt::format(", first in {} ({})", qualified_method(*frame), source_position(*frame))));
  }
  return lines;
}

void add_harms(Verdict& verdict, std::vector<Harm> harms) {
  for (Harm& harm : harms) {
    const bool known = std::any_of(verdict.harms.begin(), verdict.harms.end(), [&](const Harm& other) {
      return other.kind == harm.kind && other.what == harm.what;
    });
    if (!known) verdict.harms.push_back(std::move(harm));
  }
}

bool has_line(const std::vector<Harm>& harms, const std::string& line) {
  return std::any_of(harms.begin(), harms.end(), [&](const Harm& harm) { return harm.what == line; });
}

// What else was uncaught in an execution with a meeting, once all harms are known.
void add_other_exceptions(Verdict& verdict, const Execution& run) {
  if (!met(run)) return;
  for (const Uncaught& uncaught : run.records.uncaught) {
    std::string line = exception_line(uncaught);
    if (uncaught.meetings_before > 0 && has_line(verdict.harms, line)) continue;
    line += uncaught.meetings_before > 0 ? ", which comes without a meeting too" : ", before the two met";
    if (has_line(verdict.other_exceptions, line)) continue;
    verdict.other_exceptions.push_back(
        {HarmKind::kException, std::move(line), run.seed, run.order, uncaught, {}, went_first(run)});
  }
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
  }
  return lines;
}

std::string quoted(const std::vector<std::string>& lines, std::size_t at) {
  constexpr std::size_t kMost = 120;
  if (at >= lines.size()) return "no such line";
  return fmt::format("'{}{}'", valid_utf8(lines[at].substr(0, kMost)), lines[at].size() > kMost ? "…" : "");
}

// The first lines that are not the same, "'a' / 'b' in the output"; empty: no difference.
std::string output_difference(const Execution& a, const Execution& b) {
  if (a.output_hash == b.output_hash) return {};
  const std::vector<std::string> in_a = lines_in(a.output_head), in_b = lines_in(b.output_head);
  std::size_t at = 0;
  while (at < in_a.size() && at < in_b.size() && in_a[at] == in_b[at]) ++at;
  if (at == in_a.size() && at == in_b.size()) return "the output differs";  // behind what was kept of it
  return fmt::format("{} / {} in the output", quoted(in_a, at), quoted(in_b, at));
}

void compare_with_control(Verdict& verdict, const Execution& control, const Execution& run) {
  if (verdict.orders != OrdersCompared::kNoDifferenceSeen || control.timed_out || run.timed_out) return;
  verdict.unlike_control = output_difference(control, run);
}

void compare_orders(Verdict& verdict, const Execution& first, const Execution& second) {
  if (!met(first) || !met(second)) {
    verdict.orders = OrdersCompared::kIncomplete;
    return;
  }
  verdict.differences = differences(first, second);
  if (went_first(first) != went_first(second)) verdict.went_first = {went_first(first), went_first(second)};
  verdict.orders = verdict.differences.empty() ? OrdersCompared::kNoDifferenceSeen : OrdersCompared::kDifferent;
}

}  // namespace

const char* verdict_name(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kHarmful:
      return "harmful";
    case VerdictKind::kReal:
      return "real";
    case VerdictKind::kNotConfirmed:
      break;
  }
  return "not confirmed";
}

Background background(const Execution& control, const Orders& orders, const Expectation& expectation) {
  Background background;
  background.usual = lines_of(bad_ends(control, 0, expectation, {}));
  if (orders && met(orders->first) && met(orders->second)) {
    const std::set<std::string> first = lines_of(bad_ends(orders->first, 1, expectation, background.usual));
    const std::set<std::string> second = lines_of(bad_ends(orders->second, 1, expectation, background.usual));
    std::set_symmetric_difference(first.begin(), first.end(), second.begin(), second.end(),
                                  std::inserter(background.order_decides, background.order_decides.end()));
  }
  return background;
}

std::vector<Harm> harms_of(const Execution& run, const Background& background, const Expectation& expectation) {
  if (!met(run)) return {};
  std::vector<Harm> harms = bad_ends(run, 1, expectation, background.usual);
  std::erase_if(harms, [&](const Harm& harm) {
    return background.usual.contains(harm.what) && !background.order_decides.contains(harm.what);
  });
  return harms;
}

std::vector<std::string> differences(const Execution& a, const Execution& b) {
  std::vector<std::string> lines;
  if (end_of(a) != end_of(b)) lines.push_back(fmt::format("{} / {}", end_of(a), end_of(b)));
  const std::set<std::string> in_a = exception_keys(a), in_b = exception_keys(b);
  for (const std::string& key : in_a) {
    if (!in_b.contains(key)) lines.push_back(fmt::format("uncaught {} / not", key));
  }
  for (const std::string& key : in_b) {
    if (!in_a.contains(key)) lines.push_back(fmt::format("no such exception / uncaught {}", key));
  }
  if (a.matched.empty() != b.matched.empty()) {
    lines.push_back(a.matched.empty() ? fmt::format("no such output / '{}'", b.matched)
                                      : fmt::format("'{}' in the output / not", a.matched));
  } else if (std::string difference = output_difference(a, b); !difference.empty()) {
    lines.push_back(std::move(difference));
  }
  return lines;
}

Verdict judge(const std::string& race, const std::vector<Execution>& tries, const Orders& orders,
              const Execution& control, const Expectation& expectation) {
  const Background usual = background(control, orders, expectation);
  Verdict verdict;
  verdict.race = race;
  verdict.tries = tries.size();
  for (const Execution& run : tries) {
    verdict.timed_out += run.timed_out ? 1 : 0;
    if (!met(run)) continue;
    ++verdict.met;
    if (!verdict.meeting) {
      verdict.meeting = run.records.meetings.front();
      verdict.seed = run.seed;
    }
    std::vector<Harm> harms = harms_of(run, usual, expectation);
    verdict.harmful_tries += harms.empty() ? 0 : 1;
    add_harms(verdict, std::move(harms));
  }
  if (verdict.met == 0) {
    verdict.obstacles = obstacles_of(tries, usual.usual);
    return verdict;
  }
  if (orders) {
    add_harms(verdict, harms_of(orders->first, usual, expectation));
    add_harms(verdict, harms_of(orders->second, usual, expectation));
    compare_orders(verdict, orders->first, orders->second);
    compare_with_control(verdict, control, orders->first);
    verdict.timed_out += (orders->first.timed_out ? 1 : 0) + (orders->second.timed_out ? 1 : 0);
  }
  for (const Execution& run : tries) add_other_exceptions(verdict, run);
  if (orders) {
    add_other_exceptions(verdict, orders->first);
    add_other_exceptions(verdict, orders->second);
  }
  verdict.kind = verdict.harms.empty() ? VerdictKind::kReal : VerdictKind::kHarmful;
  return verdict;
}

bool tells_more(const Verdict& verdict, const Verdict& other) {
  const auto shown = [](const Verdict& v) {
    return v.orders == OrdersCompared::kDifferent || !v.unlike_control.empty();
  };
  return verdict.kind != other.kind ? verdict.kind > other.kind : shown(verdict) && !shown(other);
}

std::string verdict_line(const Verdict& verdict) {
  const char* tries = verdict.tries == 1 ? "try" : "tries";
  std::string line = verdict_name(verdict.kind);
  if (!verdict.harms.empty()) line += ": " + verdict.harms.front().what;
  if (verdict.kind == VerdictKind::kNotConfirmed) {
    line += fmt::format(" in {} {}", verdict.tries, tries);
    if (verdict.interrupted) line += ", then interrupted";
    if (!verdict.obstacles.empty()) line += ": " + verdict.obstacles.front();
  } else {
    line += fmt::format(" (met in {} of {} {}, seed {}{})", verdict.met, verdict.tries, tries, verdict.seed,
                        verdict.interrupted ? ", then interrupted" : "");
  }
  return verdict.timed_out == 0 ? line : line + "; " + time_limit_line(verdict);
}

std::string search_line(const Search& search) {
  std::string line =
      fmt::format("{} {} recorded, ", search.recordings, search.recordings == 1 ? "run was" : "runs were");
  if (search.executions == 0) {
    line += "and nowhere in them another thread could be stopped so that it makes a difference to the two";
  } else {
    line += fmt::format(
        "and in {} {} a thread was stopped between two other accesses, as they suggest: the two did not "
        "meet either",
        search.executions, search.executions == 1 ? "execution" : "executions");
  }
  return search.given_up.empty() ? line : line + "; then given up: " + search.given_up;
}

std::string time_limit_line(const Verdict& verdict) {
  return fmt::format("{} {} ran into the time limit (--time-limit)", verdict.timed_out,
                     verdict.timed_out == 1 ? "execution" : "executions");
}

}  // namespace deadheat::report
