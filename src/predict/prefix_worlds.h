// SPDX-License-Identifier: Apache-2.0
//
// The states that a trace goes through in its own order, for many schedules that begin as it did: each differs from the
// trace only from somewhere on, and is worth the work only from there on. For one thread.
#pragma once

#include <vector>

#include "predict/world.h"

namespace deadheat::predict {

class PrefixWorlds {
 public:
  // Both must outlive this. States are kept at least so many events apart.
  PrefixWorlds(const trace::Trace& trace, const TraceLinks& links, EventNumber least_distance = 20'000);

  // After the first `count` events. A trace that breaks the rules may have an event that cannot come where it is:
  // `count` is then at most what usable() says.
  World after(EventNumber count, Values values);
  EventNumber usable(EventNumber count);

 private:
  struct State {
    EventNumber count;
    World world;
  };
  // As far as that, or to the first event that cannot be taken.
  void go_on(State& state, EventNumber count) const;
  const State& nearest(EventNumber count);

  const trace::Trace& trace_;
  const TraceLinks& links_;
  const EventNumber distance_;  // from state to state
  std::vector<State> states_;   // each `distance_` events behind the one before it, as far as they were asked for
  std::vector<State> recent_;   // that were asked for last: the attempts at one schedule ask for the same few again
  std::size_t oldest_ = 0;      // of recent_
  EventNumber end_;             // there the trace breaks a rule, as far as is known
};

}  // namespace deadheat::predict
