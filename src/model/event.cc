// SPDX-License-Identifier: Apache-2.0
#include "model/event.h"

namespace deadheat::model {

const char* event_kind_name(EventKind kind) {
  switch (kind) {
    case EventKind::kRead:
      return "read";
    case EventKind::kWrite:
      return "write";
    case EventKind::kAcquire:
      return "acquire";
    case EventKind::kRelease:
      return "release";
    case EventKind::kVolatileRead:
      return "volatile-read";
    case EventKind::kVolatileWrite:
      return "volatile-write";
    case EventKind::kVolatileUpdate:
      return "volatile-update";
    case EventKind::kFork:
      return "fork";
    case EventKind::kJoin:
      return "join";
    case EventKind::kBegin:
      return "begin";
    case EventKind::kEnd:
      return "end";
    case EventKind::kWaitBegin:
      return "wait-begin";
    case EventKind::kWaitEnd:
      return "wait-end";
    case EventKind::kNotify:
      return "notify";
    case EventKind::kPark:
      return "park";
    case EventKind::kUnpark:
      return "unpark";
    case EventKind::kAcquireShared:
      return "acquire-shared";
    case EventKind::kReleaseShared:
      return "release-shared";
    case EventKind::kRegionEnter:
      return "region-enter";
    case EventKind::kRegionExit:
      return "region-exit";
    case EventKind::kMethodEnter:
      return "method-enter";
    case EventKind::kMethodExit:
      return "method-exit";
  }
  return "";
}

}  // namespace deadheat::model
