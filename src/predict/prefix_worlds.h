// SPDX-License-Identifier: Apache-2.0
//
// The states that a trace goes through in its own order, for many schedules that begin as it did: each differs from the
// trace only from somewhere on. What the trace left at every place is worked out once; a state then costs next to
// nothing, wherever it is.
#pragma once

#include <vector>

#include "predict/world.h"

namespace deadheat::predict {

class PrefixWorlds {
 public:
  // Both must outlive this. Who did what is kept at places so many events apart.
  PrefixWorlds(const trace::Trace& trace, const TraceLinks& links, EventNumber distance = 4'096);

  // After the first `count` events; this must outlive the world. A trace that breaks the rules may have an event that
  // cannot come where it is: `count` is then at most what usable() says.
  World after(EventNumber count, Values values) const;
  EventNumber usable(EventNumber count) const { return count < end_ ? count : end_; }

 private:
  struct Place {
    std::vector<EventNumber> last_taken;
    LockReaders readers;
  };

  const trace::Trace& trace_;
  const TraceLinks& links_;
  const EventNumber distance_;
  WorldHistory history_;
  std::vector<Place> places_;  // after 0 events, `distance_`, …
  EventNumber end_ = 0;        // behind it the trace breaks a rule, or ends
};

}  // namespace deadheat::predict
