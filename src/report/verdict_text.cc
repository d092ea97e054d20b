// SPDX-License-Identifier: Apache-2.0
#include "report/verdict_text.h"

#include <fmt/ranges.h>

#include <string_view>

#include "report/text.h"
#include "report/text_page.h"

namespace deadheat::report {
namespace {

void print_accesses(Page& page, const Meeting& meeting, std::string_view first) {
  for (std::size_t i = 0; i < meeting.accesses.size(); ++i) {
    const Access& access = meeting.accesses[i];
    page.line("  {} by {}{}{}:", access.write ? "Write" : "Read", thread_title(access.thread), locks_held(access),
              i == meeting.first ? first : "");
    page.access_frames(access);
    page.line("");
  }
}

void print_meeting(Page& page, const Verdict& verdict) {
  if (!verdict.meeting) return;
  page.line("  Both threads stood at the access (met in {} of {} {}; seed {}, step {}):\n", verdict.met, verdict.tries,
            verdict.tries == 1 ? "try" : "tries", verdict.seed, verdict.meeting->step);
  print_accesses(page, *verdict.meeting, ", which then went first");
  if (verdict.search.executions > 0) {
    page.line(
        "  Holding threads at the two accesses alone did not bring them together; one had to be stopped elsewhere "
        "first");
    page.line("  (found in {} recorded {} and {} {}).\n", verdict.search.recordings,
              verdict.search.recordings == 1 ? "run" : "runs", verdict.search.executions,
              verdict.search.executions == 1 ? "execution" : "executions");
  }
}

void print_blocked(Page& page, const BlockedThread& blocked) {
  page.line("    {} {}{}", thread_title(blocked.thread), waiting_words(blocked),
            blocked.locks.empty() ? "" : fmt::format("; it holds {}", fmt::join(blocked.locks, ", ")));
  page.frames(blocked.stack);
}

void print_harm(Page& page, std::string_view title, const Harm& harm) {
  page.line("  {}: {} (seed {}{})", title, harm.what, harm.seed,
            harm.went_first.empty() ? std::string() : fmt::format("; {} went first", harm.went_first));
  if (harm.uncaught) {
    const std::string& message = harm.uncaught->message;
    page.line("    in {}{}{}", thread_title(harm.uncaught->thread), message.empty() ? "" : ": ", message);
    page.frames(harm.uncaught->stack);
  }
  if (harm.deadlock) {
    const DeadlockParts parts = parts_of(*harm.deadlock);
    for (const BlockedThread* blocked : parts.cycle) print_blocked(page, *blocked);
    if (!parts.cycle.empty() && !parts.beside.empty()) page.line("    also waiting:");
    for (const BlockedThread* blocked : parts.beside) print_blocked(page, *blocked);
  }
  page.line("");
}

void print_orders(Page& page, const Verdict& verdict) {
  switch (verdict.orders) {
    case OrdersCompared::kNotTried:
      return;
    case OrdersCompared::kIncomplete:
      page.line("  Both orders were tried, but they did not meet in both.\n");
      return;
    case OrdersCompared::kNoDifferenceSeen:
      page.line("  Both orders were tried: no difference seen in exit status, output and exceptions.");
      if (!verdict.unlike_control.empty()) {
        page.line("  But the program does another thing when the two do not meet (control / both orders):");
        page.line("    {}", verdict.unlike_control);
      }
      page.line("");
      return;
    case OrdersCompared::kDifferent:
      if (verdict.went_first.size() == 2) {
        page.line("  The two orders ({} first / {} first) differ:", verdict.went_first[0], verdict.went_first[1]);
      } else {
        page.line("  The two orders (first access first / second access first) differ:");
      }
      for (const std::string& difference : verdict.differences) page.line("    {}", difference);
      page.line("");
      return;
  }
}

// The number of the instruction in its method: "…@12".
std::string_view instruction(std::string_view site) { return site.substr(site.rfind('@') + 1); }

void print_pairs(Page& page, const Verdict& verdict) {
  if (verdict.pairs.size() < 2) return;
  page.line("  These lines access it by several instructions; the worst of {} pairs is shown:", verdict.pairs.size());
  for (const PairTried& pair : verdict.pairs) {
    page.line("    instructions {} and {}: {} (met in {} of {} {})", instruction(pair.first), instruction(pair.second),
              verdict_name(pair.kind), pair.met, pair.tries, pair.tries == 1 ? "try" : "tries");
  }
  if (verdict.pairs_left > 0) page.line("    {} more were not tried", verdict.pairs_left);
  page.line("");
}

}  // namespace

std::string meeting_text(const Meeting& meeting, SourceLines& sources) {
  Page page(sources);
  print_accesses(page, meeting, ", which goes first");
  return page.take();
}

std::string verdict_text(const Verdict& verdict, const Race& race, SourceLines& sources) {
  Page page(sources);
  page.line("{}", kRule);
  page.line("VERDICT: deadheat: {} {}: {}", verdict.race, verdict_name(verdict.kind), race_headline(race));
  if (verdict.kind == VerdictKind::kNotConfirmed) {
    page.line("  Tried {} {}; the two threads did not meet at the two accesses:", verdict.tries,
              verdict.tries == 1 ? "time" : "times");
    for (const Access& access : race.accesses) {
      if (access.stack.empty()) continue;
      page.line("    {} in {} ({})", access.write ? "write" : "read", qualified_method(access.stack.front()),
                source_position(access.stack.front()));
    }
    page.line("  What got in the way:");
    for (const std::string& obstacle : verdict.obstacles) page.line("    {}", obstacle);
    if (verdict.obstacles.empty()) page.line("    nothing that deadheat knows of");
    page.line("  This does not say that the race cannot happen.\n");
  }
  print_meeting(page, verdict);
  for (const Harm& harm : verdict.harms) print_harm(page, "What broke", harm);
  for (const Harm& other : verdict.other_exceptions) print_harm(page, "Seen too, no harm of this race", other);
  if (verdict.kind == VerdictKind::kReal) page.line("  No harm was seen, which does not say that there is none.\n");
  print_orders(page, verdict);
  print_pairs(page, verdict);
  if (verdict.timed_out > 0) page.line("  {}: they were stopped, and tell less.\n", time_limit_line(verdict));
  if (verdict.interrupted) {
    page.line("  Interrupted after {} {}: what more of them would have shown is not known.\n", verdict.tries,
              verdict.tries == 1 ? "try" : "tries");
  }
  if (!verdict.clip.empty()) page.line("  The same again: deadheat replay {}\n", verdict.clip);
  page.line("SUMMARY: deadheat: {} {}", verdict.race, verdict_line(verdict));
  page.line("{}", kRule);
  return page.take();
}

}  // namespace deadheat::report
