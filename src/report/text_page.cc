// SPDX-License-Identifier: Apache-2.0
#include "report/text_page.h"

#include <fmt/ranges.h>

namespace deadheat::report {
namespace {

// What the reader must know about a stack that is short or uncertain; empty if nothing.
std::string stack_note(const Access& access) {
  if (access.stack.empty()) return "stack not known";
  if (!access.stack_complete) {
    if (access.stack_missing == "no room") {
      return fmt::format("the rest of this stack was not kept: {} ways to accesses are; see --history", access.history);
    }
    return access.stack_missing == "not kept" ? "the rest of this stack was not kept"
                                              : "the frames outside of this are not known";
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
