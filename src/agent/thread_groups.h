// SPDX-License-Identifier: Apache-2.0
//
// Up to JDK 18 a thread group counts its threads under its monitor when one is made, started or ends, so a thread would
// know what all have done that ended before it was started: nobody asked for that order, and it hides the races of the
// simplest programs. Such a section hands on what its thread has done and is told nothing; who asks the group for its
// threads is told of those that have ended.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace deadheat::agent {

inline constexpr std::string_view kThreadGroup = "java/lang/ThreadGroup";

// Whether this method of a thread group counts.
inline bool counts_threads(std::string_view method) {
  constexpr std::string_view kCounting[] = {"addUnstarted", "add", "threadStartFailed", "threadTerminated", "remove"};
  return std::ranges::find(kCounting, method) != std::end(kCounting);
}

}  // namespace deadheat::agent
