// SPDX-License-Identifier: Apache-2.0
//
// A detector over a sequence of events: offline analysis, and how the online code is tested without a JVM.
// Single-threaded. Races go to the RaceSink given at construction, with VariableHandle{variable, 0}, inside on_event of
// the later access.
//
//   FastTrack  (fasttrack.h)  happens-before, exact for this run
//   Lockset    (lockset.h)    Eraser: some lock is always held; false alarms
//   Hybrid     (hybrid.h)     no common lock, and not ordered by anything but locks; predicts, false alarms
#pragma once

#include <span>

#include "engine/race_sink.h"
#include "model/event.h"

namespace deadheat::engine {

// The engine is built without RTTI and its users may not be: detectors define their virtual functions in the class, so
// that vtable and type information are made wherever they are needed.
class Detector {
 public:
  virtual ~Detector() = default;
  virtual void on_event(const model::Event& event) = 0;
};

inline void replay(std::span<const model::Event> events, Detector& detector) {
  for (const model::Event& event : events) detector.on_event(event);
}

}  // namespace deadheat::engine
