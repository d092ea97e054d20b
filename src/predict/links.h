// SPDX-License-Identifier: Apache-2.0
//
// What each event of a trace hangs on, by the rules of docs/prediction.md: the facts that every reordering has to keep.
// For the analyses that need them at random access; the linear ones work them out as they go.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/analysis.h"
#include "predict/trace_sizes.h"

namespace deadheat::predict {

// All vectors are indexed by event number; 0 is "none".
struct TraceLinks {
  explicit TraceLinks(const trace::Trace& trace);

  struct Wait {
    EventNumber begin = 0;
    EventNumber notify = 0;  // 0: ended by a time-out or an interrupt, or not at all
    EventNumber end = 0;     // 0: still waiting when the trace ends
  };

  TraceSizes sizes;
  // The previous event of the same thread; for a thread's first event the fork of the thread.
  std::vector<EventNumber> previous;
  // Where the event got from what it found:
  //   read, volatile read, atomic update   the last write (0: the value from before the trace)
  //   park                                 the unpark that made the permit (0: it returned without one)
  //   end of a wait                        the notify that ended it (0: nobody did)
  //   notify                               the begin of the wait that it ended (0: nobody waited)
  std::vector<EventNumber> source;
  std::vector<EventNumber> partner;  // acquire ↔ release, in all their forms
  std::vector<EventNumber> joined;   // join: the last event of the thread; its fork if it has none
  std::vector<Wait> waits;
  // Begin of a wait: a notify that comes before this one's own finds a thread waiting. Not so for a wait that ended
  // without a notify: it had a time-out, which may have come by then.
  std::vector<bool> is_found_waiting;
  // By variable and by volatile one: the only thread that writes it, kNobody or kSeveral.
  static constexpr std::uint32_t kNobody = 0;
  static constexpr std::uint32_t kSeveral = ~0u;
  std::vector<std::uint32_t> writer;
  std::vector<std::uint32_t> volatile_writer;
};

// A notify that found nobody waiting.
inline bool is_lone_notify(const model::Event& e) {
  return e.kind == model::EventKind::kNotify && e.peer == model::ThreadId{};
}

}  // namespace deadheat::predict
