// SPDX-License-Identifier: Apache-2.0
//
// The lines of one text report, and the words that all of them share.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "report/race.h"
#include "report/source_lines.h"

namespace deadheat::report {

inline constexpr std::string_view kRule = "==================";

class Page {
 public:
  explicit Page(SourceLines& sources) : sources_(sources) {}

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  // The frames with their source lines, where those are found.
  void frames(const Stack& stack);
  // The frames of an access: says when there are none or not all, and names the first one outside the JDK.
  void access_frames(const Access& access);
  std::string take() { return std::move(text_); }

 private:
  SourceLines& sources_;
  std::string text_;
};

// thread "teller-1" (id 7); of a Thread or a Creator
std::string thread_title(const auto& thread) {
  return thread.name.empty() ? fmt::format("thread {}", thread.id)
                             : fmt::format("thread \"{}\" (id {})", thread.name, thread.id);
}

// ", holding …" or ", no lock held" as the end of an access's title; empty when it is not known.
std::string locks_held(const Access& access);

}  // namespace deadheat::report
