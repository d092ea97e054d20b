// SPDX-License-Identifier: Apache-2.0
//
// How the text formats write each kind of event, and what its object is the name of. The one table that readers,
// writers and docs/trace-format.md agree with.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/event.h"
#include "trace/trace.h"

namespace deadheat::trace {

enum class ObjectOf : std::uint8_t { kNothing, kThread, kVariable, kSync, kRegion };

struct Operation {
  std::string_view name;
  model::EventKind kind;
  model::AccessMode mode;
  ObjectOf object;
  bool is_public;        // known to the public dialect
  bool object_optional;  // atomic regions need no name
};

// In the order in which they are listed to the user.
std::span<const Operation> operations();

// nullptr: there is no such operation.
const Operation* find_operation(std::string_view name);

// The operation that an event is written as. A mode counts for volatile accesses only.
const Operation& operation_of(const model::Event& event);

ObjectOf object_of(model::EventKind kind);

// The table that the objects of such events are numbers of; nullptr: they have none.
const Names* names_of(const Trace& trace, ObjectOf object);
Names* names_of(Trace& trace, ObjectOf object);

// Which of four things that exist for each such table an object's kind means; regions for events without an object.
template <typename T>
T& choose(ObjectOf object, T& threads, T& variables, T& syncs, T& regions) {
  switch (object) {
    case ObjectOf::kThread:
      return threads;
    case ObjectOf::kVariable:
      return variables;
    case ObjectOf::kSync:
      return syncs;
    case ObjectOf::kNothing:
    case ObjectOf::kRegion:
      break;
  }
  return regions;
}

// "a variable's name": what a reader expected and did not find.
std::string_view object_words(ObjectOf object);

}  // namespace deadheat::trace
