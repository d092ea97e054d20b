// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "report/text_page.h"

namespace deadheat::report {
namespace {

// ", holding …" as the end of an access's title. That the locks of one access are not known is said only where those of
// the other are: there silence would read as "none".
std::string monitors_held(const Race& race, const Access& access) {
  if (access.locks) {
    return access.locks->empty() ? ", no monitor held" : fmt::format(", holding {}", fmt::join(*access.locks, ", "));
  }
  const bool other_known = std::any_of(race.accesses.begin(), race.accesses.end(),
                                       [](const Access& other) { return other.locks.has_value(); });
  return other_known ? ", monitors held not known" : "";
}

void print_access(Page& page, const Race& race, const Access& access, bool previous) {
  const char* kind = previous ? (access.write ? "Previous write" : "Previous read") : (access.write ? "Write" : "Read");
  page.line("  {} by {}{}:", kind, thread_title(access.thread), monitors_held(race, access));
  page.access_frames(access);
  page.line("");
}

void print_creation(Page& page, const Thread& thread) {
  if (!thread.main && !thread.created_by && thread.created_at.empty()) return;
  std::string title = thread_title(thread);
  title.front() = 'T';
  if (thread.main) {
    page.line("  {} is the main thread", title);
  } else {
    page.line("  {} created{}{}", title, thread.created_by ? " by " + thread_title(*thread.created_by) : "",
              thread.created_at.empty() ? " (its stack was not kept)" : " at:");
    page.frames(thread.created_at);
  }
  page.line("");
}

void print_exposure(Page& page, const Exposure& exposure) {
  page.line("  Found by a hunt ({}, seed {}){}", exposure.strategy, exposure.seed,
            exposure.reversed.empty() ? "" : " that reversed these lock orders:");
  for (const ReversedEdge& edge : exposure.reversed) {
    page.line("    {}: thread \"{}\" at {} before thread \"{}\" at {}", edge.lock, edge.first, edge.first_at, edge.held,
              edge.held_at);
  }
  page.line("");
}

}  // namespace

std::string race_headline(const Race& race) {
  std::string headline = finding_name(race) + " on " + describe(race.variable);
  if (race.accesses.empty() || race.accesses.front().stack.empty()) return headline;
  const Stack& stack = race.accesses.front().stack;
  const Frame& top = stack.front();
  headline += fmt::format(" in {} ({})", qualified_method(top), source_position(top));
  const Frame* application = first_application_frame(stack);
  if (application != nullptr && application != &top) {
    headline += fmt::format(", called from {} ({})", qualified_method(*application), source_position(*application));
  }
  return headline;
}

std::string race_text(const Race& race, SourceLines& sources) {
  Page page(sources);
  page.line("{}", kRule);
  page.line("WARNING: deadheat: {} {} on {} (pid={})", finding_name(race), race.id, describe(race.variable), race.pid);
  for (std::size_t i = 0; i < race.accesses.size(); ++i) print_access(page, race, race.accesses[i], i > 0);
  if (race.object) {
    page.line("  The object is {}{}", race.object->name, race.object->allocated_at.empty() ? "" : ", allocated at:");
    page.frames(race.object->allocated_at);
    page.line("");
  }
  for (const Access& access : race.accesses) print_creation(page, access.thread);
  if (race.exposure) print_exposure(page, *race.exposure);
  if (race.count > 1) page.line("  Seen {} times.\n", race.count);
  if (const std::vector<const Frame*> further = further_places(race); !further.empty()) {
    page.line("  Other places that race in these lines, on this object or on others:");
    for (const Frame* place : further) page.line("    {} ({})", qualified_method(*place), source_position(*place));
    page.line("");
  }
  page.line("SUMMARY: deadheat: {}", race_headline(race));
  page.line("{}", kRule);
  return page.take();
}

}  // namespace deadheat::report
