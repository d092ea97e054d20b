// SPDX-License-Identifier: Apache-2.0
#include "trace/operation.h"

#include <array>

#include "base/check.h"

namespace deadheat::trace {

using model::AccessMode;
using model::EventKind;

namespace {

constexpr auto kVolatile = AccessMode::kVolatile;

constexpr Operation kOperations[] = {
    {"r", EventKind::kRead, kVolatile, ObjectOf::kVariable, true, false},
    {"w", EventKind::kWrite, kVolatile, ObjectOf::kVariable, true, false},
    {"acq", EventKind::kAcquire, kVolatile, ObjectOf::kSync, true, false},
    {"rel", EventKind::kRelease, kVolatile, ObjectOf::kSync, true, false},
    {"fork", EventKind::kFork, kVolatile, ObjectOf::kThread, true, false},
    {"join", EventKind::kJoin, kVolatile, ObjectOf::kThread, true, false},
    {"begin", EventKind::kRegionEnter, kVolatile, ObjectOf::kRegion, true, true},
    {"end", EventKind::kRegionExit, kVolatile, ObjectOf::kRegion, true, true},
    {"start", EventKind::kBegin, kVolatile, ObjectOf::kNothing, false, false},
    {"exit", EventKind::kEnd, kVolatile, ObjectOf::kNothing, false, false},
    {"vr", EventKind::kVolatileRead, kVolatile, ObjectOf::kSync, false, false},
    {"vw", EventKind::kVolatileWrite, kVolatile, ObjectOf::kSync, false, false},
    {"vu", EventKind::kVolatileUpdate, kVolatile, ObjectOf::kSync, false, false},
    {"vr.acqrel", EventKind::kVolatileRead, AccessMode::kAcquireRelease, ObjectOf::kSync, false, false},
    {"vw.acqrel", EventKind::kVolatileWrite, AccessMode::kAcquireRelease, ObjectOf::kSync, false, false},
    {"vu.acqrel", EventKind::kVolatileUpdate, AccessMode::kAcquireRelease, ObjectOf::kSync, false, false},
    {"vr.opaque", EventKind::kVolatileRead, AccessMode::kOpaque, ObjectOf::kSync, false, false},
    {"vw.opaque", EventKind::kVolatileWrite, AccessMode::kOpaque, ObjectOf::kSync, false, false},
    {"vu.opaque", EventKind::kVolatileUpdate, AccessMode::kOpaque, ObjectOf::kSync, false, false},
    {"vr.plain", EventKind::kVolatileRead, AccessMode::kPlain, ObjectOf::kSync, false, false},
    {"vw.plain", EventKind::kVolatileWrite, AccessMode::kPlain, ObjectOf::kSync, false, false},
    {"vu.plain", EventKind::kVolatileUpdate, AccessMode::kPlain, ObjectOf::kSync, false, false},
    {"acqr", EventKind::kAcquireShared, kVolatile, ObjectOf::kSync, false, false},
    {"relr", EventKind::kReleaseShared, kVolatile, ObjectOf::kSync, false, false},
    {"wait", EventKind::kWaitBegin, kVolatile, ObjectOf::kSync, false, false},
    {"wake", EventKind::kWaitEnd, kVolatile, ObjectOf::kSync, false, false},
    {"notify", EventKind::kNotify, kVolatile, ObjectOf::kSync, false, false},
    {"park", EventKind::kPark, kVolatile, ObjectOf::kSync, false, false},
    {"unpark", EventKind::kUnpark, kVolatile, ObjectOf::kSync, false, false},
    {"enter", EventKind::kMethodEnter, kVolatile, ObjectOf::kRegion, false, false},
    {"leave", EventKind::kMethodExit, kVolatile, ObjectOf::kRegion, false, false},
};

constexpr std::size_t kKinds = static_cast<std::size_t>(EventKind::kMethodExit) + 1;
constexpr std::array<ObjectOf, kKinds> kObjects = [] {
  std::array<ObjectOf, kKinds> objects{};
  for (const Operation& operation : kOperations) objects[static_cast<std::size_t>(operation.kind)] = operation.object;
  return objects;
}();

bool has_mode(EventKind kind) {
  return kind == EventKind::kVolatileRead || kind == EventKind::kVolatileWrite || kind == EventKind::kVolatileUpdate;
}

}  // namespace

std::span<const Operation> operations() { return kOperations; }

const Operation* find_operation(std::string_view name) {
  for (const Operation& operation : kOperations) {
    if (operation.name == name) return &operation;
  }
  return nullptr;
}

const Operation& operation_of(const model::Event& event) {
  const AccessMode mode = has_mode(event.kind) ? event.mode : kVolatile;
  for (const Operation& operation : kOperations) {
    if (operation.kind == event.kind && operation.mode == mode) return operation;
  }
  check_failed(__FILE__, __LINE__, "every event has an operation");
}

ObjectOf object_of(EventKind kind) { return kObjects[static_cast<std::size_t>(kind)]; }

const Names* names_of(const Trace& trace, ObjectOf object) {
  if (object == ObjectOf::kNothing) return nullptr;
  return &choose(object, trace.threads, trace.variables, trace.syncs, trace.regions);
}

Names* names_of(Trace& trace, ObjectOf object) {
  if (object == ObjectOf::kNothing) return nullptr;
  return &choose(object, trace.threads, trace.variables, trace.syncs, trace.regions);
}

std::string_view object_words(ObjectOf object) {
  switch (object) {
    case ObjectOf::kThread:
      return "a thread's name";
    case ObjectOf::kVariable:
      return "a variable's name";
    case ObjectOf::kSync:
      return "a lock's name";
    case ObjectOf::kNothing:
    case ObjectOf::kRegion:
      break;
  }
  return "a name";
}

}  // namespace deadheat::trace
