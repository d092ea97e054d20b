// SPDX-License-Identifier: Apache-2.0
#include "engine/counts.h"

namespace deadheat::engine {

const char* rule_name(Rule rule) {
  switch (rule) {
    case Rule::kReadSameEpoch:
      return "READ SAME EPOCH";
    case Rule::kReadShared:
      return "READ SHARED";
    case Rule::kReadExclusive:
      return "READ EXCLUSIVE";
    case Rule::kReadShare:
      return "READ SHARE";
    case Rule::kWriteSameEpoch:
      return "WRITE SAME EPOCH";
    case Rule::kWriteExclusive:
      return "WRITE EXCLUSIVE";
    case Rule::kWriteShared:
      return "WRITE SHARED";
    case Rule::kAcquire:
      return "ACQUIRE";
    case Rule::kAcquireJoin:
      return "ACQUIRE JOIN";
    case Rule::kRelease:
      return "RELEASE";
    case Rule::kReleaseTick:
      return "RELEASE TICK";
    case Rule::kReleaseJoin:
      return "RELEASE JOIN";
    case Rule::kApproximateAcquire:
      return "APPROXIMATE ACQUIRE";
    case Rule::kCount:
      break;
  }
  return "";
}

}  // namespace deadheat::engine
