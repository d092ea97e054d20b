// SPDX-License-Identifier: Apache-2.0
//
// The program's places from which the accesses of a race in the JDK come, or in what comes with a language (Kotlin,
// Scala). A race is known by its two sites, and all lists of a program race at the same sites of ArrayList: the record
// shows one of them, with its stacks; the places tell of the others.
//
// Called on the accessing thread. A stack is taken for it, so for at most a part of the processor time.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/stack_walker.h"

namespace deadheat::agent {

// Whether the class (a/b/C) is none of the program's, nor of a library that it brought along.
bool comes_with_language(std::string_view class_name);

class RacePlaces {
 public:
  explicit RacePlaces(StackWalker& stacks) : stacks_(stacks) {}

  // The race was seen for the time `count`, and the access that saw it is in such a class.
  void came(JNIEnv* jni, const std::string& race, std::uint64_t count);
  // An object with the places of each race.
  void write(JsonWriter& json);

 private:
  static constexpr std::size_t kMost = 20;           // of one race
  static constexpr std::uint64_t kAlways = 64;       // so many times a race is looked at, then each that many times
  static constexpr std::int64_t kGrace = 100000000;  // nanoseconds, always allowed
  static constexpr int kShare = 50;                  // beyond that one part in so many of the processor time

  StackWalker& stacks_;
  std::atomic<std::int64_t> spent_{0};  // nanoseconds
  std::mutex mutex_;
  std::unordered_map<std::string, std::vector<StackFrame>> places_;  // by race; under mutex_
};

}  // namespace deadheat::agent
