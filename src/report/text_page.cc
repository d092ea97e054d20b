// SPDX-License-Identifier: Apache-2.0
#include "report/text_page.h"

#include <fmt/ranges.h>

namespace deadheat::report {
namespace {

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

}  // namespace

void Page::frames(const Stack& stack) {
  int number = 0;
  for (const Frame& frame : stack) {
    line("    #{} {} ({})", number++, qualified_method(frame), source_position(frame));
    if (auto source = sources_.line_of(frame)) line("         | {}", *source);
  }
}

void Page::access_frames(const Access& access) {
  frames(access.stack);
  if (const std::string note = stack_note(access); !note.empty()) line("    ({})", note);
  // A JDK line alone does not tell users where to look.
  const Frame* application = first_application_frame(access.stack);
  if (!access.stack.empty() && application != nullptr && is_library_class(access.stack.front().class_name)) {
    line("    First frame outside the {}: {} ({})", is_jdk_class(access.stack.front().class_name) ? "JDK" : "library",
         qualified_method(*application), source_position(*application));
  }
}

std::string locks_held(const Access& access) {
  if (!access.locks) return {};
  return access.locks->empty() ? ", no lock held" : fmt::format(", holding {}", fmt::join(*access.locks, ", "));
}

}  // namespace deadheat::report
