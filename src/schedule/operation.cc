// SPDX-License-Identifier: Apache-2.0
#include "schedule/operation.h"

#include <iterator>

namespace deadheat::schedule {
namespace {

using enum OperationKind;

bool is_plain(OperationKind kind) { return kind == kRead || kind == kWrite; }
bool is_monitor(OperationKind kind) { return kind >= kLock && kind <= kNotifyAll; }

bool overlap(const Operation& a, const Operation& b) {
  return a.object < b.object + b.extent && b.object < a.object + a.extent;
}

// The thread whose permit, mark or life the operation is about; kNoThread for all others.
ThreadIndex subject(ThreadIndex thread, const Operation& op) {
  switch (op.kind) {
    case kBegin:
    case kEnd:
    case kPark:
    case kSleep:
    case kClearInterrupt:
      return thread;
    case kUnpark:
    case kStart:
    case kJoin:
    case kInterrupt:
    case kTestInterrupt:
    case kLook:
      return op.target;
    default:
      return kNoThread;
  }
}

}  // namespace

const char* operation_kind_name(OperationKind kind) {
  static constexpr const char* kNames[] = {"begin",
                                           "end",
                                           "read",
                                           "write",
                                           "volatile-read",
                                           "volatile-write",
                                           "volatile-update",
                                           "lock",
                                           "unlock",
                                           "wait",
                                           "wait-end",
                                           "notify",
                                           "notify-all",
                                           "park",
                                           "unpark",
                                           "start",
                                           "join",
                                           "sleep",
                                           "yield",
                                           "interrupt",
                                           "test-interrupt",
                                           "clear-interrupt",
                                           "external",
                                           "clock",
                                           "look"};
  static_assert(std::size(kNames) == kOperationKinds);
  const auto number = static_cast<std::uint8_t>(kind);
  return number < kOperationKinds ? kNames[number] : "unknown";
}

bool is_access(OperationKind kind) { return kind >= kRead && kind <= kVolatileUpdate; }
bool writes(OperationKind kind) { return kind == kWrite || kind == kVolatileWrite || kind == kVolatileUpdate; }
bool may_spin(OperationKind kind) { return kind == kYield || kind == kLook; }
bool can_time_out(OperationKind kind) {
  return kind == kWaitBegin || kind == kWaitEnd || kind == kPark || kind == kJoin || kind == kSleep;
}

bool races(const Operation& a, const Operation& b) {
  return is_access(a.kind) && is_access(b.kind) && (is_plain(a.kind) || is_plain(b.kind)) &&
         (writes(a.kind) || writes(b.kind)) && overlap(a, b);
}

bool conflicts(ThreadIndex thread_a, const Operation& a, ThreadIndex thread_b, const Operation& b) {
  if (is_access(a.kind)) return is_access(b.kind) && (writes(a.kind) || writes(b.kind)) && overlap(a, b);
  // The end of a thread also notifies on its object.
  const bool monitor_a = is_monitor(a.kind) || (a.kind == kEnd && a.object != 0);
  const bool monitor_b = is_monitor(b.kind) || (b.kind == kEnd && b.object != 0);
  if (monitor_a && monitor_b && a.object == b.object) return true;
  const ThreadIndex subject_a = subject(thread_a, a);
  return subject_a != kNoThread && subject_a == subject(thread_b, b);
}

}  // namespace deadheat::schedule
