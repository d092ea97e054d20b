// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

namespace deadheat::report {
namespace {

constexpr std::string_view kRule = "==================";

// Collects the lines of one report.
class Page {
 public:
  explicit Page(SourceLines& sources) : sources_(sources) {}

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  void frames(const Stack& stack);
  std::string take() { return std::move(text_); }

 private:
  SourceLines& sources_;
  std::string text_;
};

void Page::frames(const Stack& stack) {
  int number = 0;
  for (const Frame& frame : stack) {
    line("    #{} {} ({})", number++, qualified_method(frame), source_position(frame));
    if (auto source = sources_.line_of(frame)) line("         | {}", *source);
  }
}

std::string thread_title(const Thread& thread) {
  return thread.name.empty() ? fmt::format("thread {}", thread.id)
                             : fmt::format("thread \"{}\" (id {})", thread.name, thread.id);
}

// ", holding …" as the end of an access's title.
std::string locks_held(const Access& access) {
  if (!access.locks) return {};
  return access.locks->empty() ? ", no lock held" : fmt::format(", holding {}", fmt::join(*access.locks, ", "));
}

// What the reader must know about a stack that is short or uncertain; empty if nothing.
std::string stack_note(const Access& access) {
  if (access.stack.empty()) return "stack not known";
  if (!access.stack_complete) {
    if (access.stack_missing == "overwritten") {
      return fmt::format("the rest of this stack was overwritten in the thread's history; --history {} keeps more",
                         access.history * 4);
    }
    return access.stack_missing == "not kept" ? "the rest of this stack was not kept"
                                              : "the frames outside of this are not known";
  }
  if (access.stack_candidates > 1) {
    return fmt::format("the thread came here by {} different stacks between two releases; this is the last one",
                       access.stack_candidates);
  }
  return {};
}

void print_access(Page& page, const Access& access, bool previous) {
  const char* kind = previous ? (access.write ? "Previous write" : "Previous read") : (access.write ? "Write" : "Read");
  page.line("  {} by {}{}:", kind, thread_title(access.thread), locks_held(access));
  page.frames(access.stack);
  if (const std::string note = stack_note(access); !note.empty()) page.line("    ({})", note);
  // A JDK line alone does not tell users where to look.
  const Frame* application = first_application_frame(access.stack);
  if (!access.stack.empty() && application != nullptr && is_jdk_class(access.stack.front().class_name)) {
    page.line("    First frame outside the JDK: {} ({})", qualified_method(*application),
              source_position(*application));
  }
  page.line("");
}

void print_creation(Page& page, const Thread& thread) {
  if (thread.created_at.empty()) return;
  page.line("  {} was created at:", thread_title(thread));
  page.frames(thread.created_at);
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
  for (std::size_t i = 0; i < race.accesses.size(); ++i) print_access(page, race.accesses[i], i > 0);
  if (race.object) {
    page.line("  The object is {}{}", race.object->name, race.object->allocated_at.empty() ? "" : ", allocated at:");
    page.frames(race.object->allocated_at);
    page.line("");
  }
  for (const Access& access : race.accesses) print_creation(page, access.thread);
  if (race.count > 1) page.line("  Seen {} times.\n", race.count);
  page.line("SUMMARY: deadheat: {}", race_headline(race));
  page.line("{}", kRule);
  return page.take();
}

}  // namespace deadheat::report
