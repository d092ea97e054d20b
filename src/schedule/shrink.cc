// SPDX-License-Identifier: Apache-2.0
#include "schedule/shrink.h"

#include <algorithm>

namespace deadheat::schedule {
namespace {

// The plan without the runs [from, to); neighbours of the same thread become one.
Plan without(const Plan& plan, std::size_t from, std::size_t to) {
  Plan result;
  result.choices = plan.choices;
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    if (i >= from && i < to) continue;
    if (!result.runs.empty() && result.runs.back().thread == plan.runs[i].thread) {
      result.runs.back().until = plan.runs[i].until;
    } else {
      result.runs.push_back(plan.runs[i]);
    }
  }
  return result;
}

}  // namespace

Shrunk shrink(const Plan& plan, const std::function<bool(const Plan&)>& same_outcome, std::uint64_t max_tries) {
  Shrunk best{.plan = plan};
  const auto try_plan = [&](const Plan& candidate) {
    ++best.tries;
    return same_outcome(candidate);
  };
  best.reproduced = max_tries != 0 && try_plan(plan);
  if (!best.reproduced) return best;
  // Chunks of decreasing size are left out; after a success the same place is tried again. The last round leaves out
  // single runs, and is repeated until none can go.
  std::size_t size = std::max<std::size_t>(best.plan.runs.size() / 2, 1);
  while (!best.plan.runs.empty()) {
    bool any = false;
    for (std::size_t from = 0; from < best.plan.runs.size();) {
      if (best.tries >= max_tries) return best;
      Plan candidate = without(best.plan, from, from + size);
      if (try_plan(candidate)) {
        best.plan = std::move(candidate);
        any = true;
      } else {
        from += size;
      }
    }
    if (size == 1 && !any) break;
    size =
        any ? std::min(size, std::max<std::size_t>(best.plan.runs.size() / 2, 1)) : std::max<std::size_t>(size / 2, 1);
  }
  best.minimal = true;
  return best;
}

}  // namespace deadheat::schedule
