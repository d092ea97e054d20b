// SPDX-License-Identifier: Apache-2.0
#include "predict/prefix_worlds.h"

#include <utility>

namespace deadheat::predict {

PrefixWorlds::PrefixWorlds(const trace::Trace& trace, const TraceLinks& links, EventNumber distance)
    : trace_(trace), links_(links), distance_(distance) {
  World world(trace, links);
  places_.push_back({world.last_taken(), {}});
  while (end_ < links.sizes.events && world.can_take(end_ + 1)) {
    world.take(++end_);
    world.record(end_, history_);
    if (end_ % distance_ == 0) places_.push_back({world.last_taken(), world.all_readers()});
  }
  history_.writes.finish(links.sizes.variables + 1);
  for (CellHistory* of_syncs : {&history_.volatile_writes, &history_.permits, &history_.holders, &history_.waiting}) {
    of_syncs->finish(links.sizes.syncs + 1);
  }
}

World PrefixWorlds::after(EventNumber count, Values values) const {
  count = usable(count);
  Place place = places_[count / distance_];
  for (EventNumber e = count / distance_ * distance_ + 1; e <= count; ++e) {
    const model::Event& event = trace_.events[e - 1];
    place.last_taken[to_number(event.thread)] = e;
    apply_to(place.readers, event);
  }
  World world(trace_, links_, history_, count, std::move(place.last_taken), std::move(place.readers));
  world.set_values(values);
  return world;
}

}  // namespace deadheat::predict
