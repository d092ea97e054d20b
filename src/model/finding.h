// SPDX-License-Identifier: Apache-2.0
//
// What deadheat tells its user, as plain data: detectors and front ends fill it, report renders it, nobody else
// interprets it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/ids.h"

namespace deadheat::model {

struct Frame {
  std::string class_name;
  std::string method;
  std::string file;        // empty: not known
  std::int32_t line = 0;   // 0: not known
  std::int32_t index = 0;  // bytecode index
};

struct Stack {
  std::vector<Frame> frames;  // innermost first
  bool complete = true;       // false: it was not kept as a whole; frames holds what is left
};

struct Access {
  ThreadId thread{};
  std::string thread_name;
  SiteId site{};
  bool is_write = false;
  Stack stack;
  std::vector<std::string> locks_held;
};

// Two conflicting accesses that nothing orders.
struct Race {
  std::string id;        // short and stable: a hash of the variable and of the two sites, the same in every run
  std::string variable;  // e.g. Account.balance
  std::string object;    // e.g. Account@1f, allocated at …; empty for statics
  Access current;
  Access previous;
  std::uint64_t count = 1;  // how often the pair was seen in this run
};

}  // namespace deadheat::model
