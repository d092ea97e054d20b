// SPDX-License-Identifier: Apache-2.0
#include "predict/trace_sizes.h"

#include <algorithm>
#include <limits>

namespace deadheat::predict {

using model::EventKind;

TraceSizes sizes_of(const trace::Trace& trace) {
  TraceSizes sizes;
  // Event numbers have 32 bits, and the highest one stays free for "never".
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
  sizes.events = static_cast<std::uint32_t>(std::min(trace.events.size(), kMost));
  sizes.threads = trace.threads.size();
  sizes.variables = trace.variables.size();
  sizes.syncs = trace.syncs.size();
  for (const model::Event& e : trace.events) {
    const auto object = static_cast<std::uint32_t>(e.object);
    sizes.threads = std::max({sizes.threads, to_number(e.thread), to_number(e.peer)});
    switch (e.kind) {
      case EventKind::kRead:
      case EventKind::kWrite:
        sizes.variables = std::max(sizes.variables, object);
        break;
      case EventKind::kFork:
      case EventKind::kJoin:
        sizes.threads = std::max(sizes.threads, object);
        break;
      case EventKind::kBegin:
      case EventKind::kEnd:
      case EventKind::kRegionEnter:
      case EventKind::kRegionExit:
      case EventKind::kMethodEnter:
      case EventKind::kMethodExit:
        break;
      default:
        sizes.syncs = std::max(sizes.syncs, object);
    }
  }
  return sizes;
}

}  // namespace deadheat::predict
