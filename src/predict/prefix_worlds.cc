// SPDX-License-Identifier: Apache-2.0
#include "predict/prefix_worlds.h"

#include <algorithm>

namespace deadheat::predict {

namespace {

// A state has a word for each variable and lock and a bit for each event: 12 MB for a run of h2 with 10 million events.
constexpr EventNumber kStates = 8;
constexpr std::size_t kRecent = 3;

}  // namespace

PrefixWorlds::PrefixWorlds(const trace::Trace& trace, const TraceLinks& links, EventNumber least_distance)
    : trace_(trace),
      links_(links),
      distance_(std::max(least_distance, links.sizes.events / kStates + 1)),
      end_(links.sizes.events) {
  states_.push_back({0, World(trace, links)});
}

void PrefixWorlds::go_on(State& state, EventNumber count) const {
  while (state.count < count && state.world.can_take(state.count + 1)) state.world.take(++state.count);
}

const PrefixWorlds::State& PrefixWorlds::nearest(EventNumber count) {
  while (states_.back().count + distance_ <= std::min(count, end_)) {
    State next = states_.back();
    const EventNumber wanted = next.count + distance_;
    go_on(next, wanted);
    if (next.count < wanted) {
      end_ = next.count;
      break;
    }
    states_.push_back(std::move(next));
  }
  const State* best = &states_[std::min<std::size_t>(count / distance_, states_.size() - 1)];
  for (const State& state : recent_) {
    if (state.count <= count && state.count > best->count) best = &state;
  }
  return *best;
}

EventNumber PrefixWorlds::usable(EventNumber count) {
  count = std::min(count, end_);
  const State& start = nearest(count);
  if (start.count == count) return count;
  State state = start;
  go_on(state, count);
  if (state.count < count) end_ = state.count;
  count = state.count;
  if (recent_.size() < kRecent) {
    recent_.push_back(std::move(state));
  } else {
    recent_[oldest_++ % kRecent] = std::move(state);
  }
  return count;
}

World PrefixWorlds::after(EventNumber count, Values values) {
  World world = nearest(usable(count)).world;
  world.set_values(values);
  return world;
}

}  // namespace deadheat::predict
