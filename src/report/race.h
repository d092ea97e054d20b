// SPDX-License-Identifier: Apache-2.0
//
// A race as the renderers see it: plain data, filled from the records a JVM left (race_json.h) and never changed after
// that. Every text may be empty and every list short, since a JVM may know less than it would like to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/hunt_records.h"

namespace deadheat::report {

struct Frame {
  std::string class_name;  // a.b.C
  std::string method;
  std::string file;  // C.java, without a folder
  int line = 0;      // 0: not known
  bool operator==(const Frame&) const = default;
};
using Stack = std::vector<Frame>;  // innermost frame first

struct Creator {
  std::int64_t id = 0;
  std::string name;
};

struct Thread {
  std::int64_t id = 0;  // the agent's number
  std::string name;
  bool main = false;                  // the thread that the JVM began with
  std::optional<Creator> created_by;  // absent: not known, or the VM itself
  Stack created_at;                   // the creator's, in Thread.start
};

struct Access {
  bool write = false;
  Thread thread;
  Stack stack;
  std::string site;                               // the same in every run; empty in records of old agents
  bool stack_complete = true;                     // false: the outer frames are not known
  std::string stack_missing;                      // why not: "no room" or "not kept"
  std::int64_t history = 0;                       // how many ways to accesses are kept, if any
  std::optional<std::vector<std::string>> locks;  // monitors held at the access; absent: not known
};

enum class VariableKind : std::uint8_t { kUnknown, kField, kStatic, kArray };

struct Variable {
  VariableKind kind = VariableKind::kUnknown;
  std::string class_name;             // of the field, or of the array: int[]
  std::string field;                  // fields and statics
  std::optional<std::int64_t> index;  // arrays
};

struct Object {
  std::string name;  // a.b.C@1f
  Stack allocated_at;
};

struct Race {
  std::string id;  // R and hexadecimal digits: variable and sites, the same in every run
  Variable variable;
  std::vector<Access> accesses;  // [0] the access at which the race was noticed, [1] the previous one
  std::optional<Object> object;
  // hybrid, lockset: a candidate of that detector, which need not be a race of this run, nor of any. Empty: a race by
  // happens-before.
  std::string detector;
  std::optional<Exposure> exposure;  // by which run of a hunt
  std::uint64_t count = 1;           // how often this run saw it
  Stack places;          // of a race in the JDK: the program's places that it was seen from, as far as known
  std::int64_t pid = 0;  // the JVM that saw it first
};

// "data race", or "possible race (hybrid)".
std::string finding_name(const Race& race);

// "a.b.C.x", or "int[3]" for an element.
std::string variable_name(const Variable& variable);

// "field a.b.C.x", "static field a.b.C.x", "element 3 of an int[]", "an array element".
std::string describe(const Variable& variable);

// "a.b.C.m".
std::string qualified_method(const Frame& frame);

// "C.java:12", "C.java", or "unknown source".
std::string source_position(const Frame& frame);

// Whether the class is part of the JDK, where users do not look for their bug.
bool is_jdk_class(std::string_view class_name);

// Those of its places that are not the first application frame of one of its accesses.
std::vector<const Frame*> further_places(const Race& race);

// Of the JDK, or of what comes with a language (Kotlin, Scala): its collections, say. The agent has the same rule for
// the places of a race (agent/race_places.cc).
bool is_library_class(std::string_view class_name);

// The innermost frame of the stack that is not a library's; null when there is none.
const Frame* first_application_frame(const Stack& stack);

}  // namespace deadheat::report
