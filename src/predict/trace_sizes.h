// SPDX-License-Identifier: Apache-2.0
//
// How many threads, variables and synchronisation objects a trace speaks of: the sizes of an analysis' vectors, which
// are indexed by the numbers of model/ids.h (0 stays unused).
#pragma once

#include <cstdint>

#include "trace/trace.h"

namespace deadheat::predict {

struct TraceSizes {
  std::uint32_t events = 0;
  std::uint32_t threads = 0;    // the highest number
  std::uint32_t variables = 0;  // the highest number
  std::uint32_t syncs = 0;      // the highest number
};

TraceSizes sizes_of(const trace::Trace& trace);

inline bool is_access(const model::Event& e) {
  return e.kind == model::EventKind::kRead || e.kind == model::EventKind::kWrite;
}
inline bool is_volatile_access(const model::Event& e) {
  return e.kind == model::EventKind::kVolatileRead || e.kind == model::EventKind::kVolatileWrite ||
         e.kind == model::EventKind::kVolatileUpdate;
}
// Takes a lock, alone or with others.
inline bool is_acquire(const model::Event& e) {
  return e.kind == model::EventKind::kAcquire || e.kind == model::EventKind::kWaitEnd ||
         e.kind == model::EventKind::kAcquireShared;
}
inline bool is_release(const model::Event& e) {
  return e.kind == model::EventKind::kRelease || e.kind == model::EventKind::kWaitBegin ||
         e.kind == model::EventKind::kReleaseShared;
}
inline bool is_shared_lock(const model::Event& e) {
  return e.kind == model::EventKind::kAcquireShared || e.kind == model::EventKind::kReleaseShared;
}
// Two accesses that make a race if nothing keeps them apart.
inline bool is_conflict(const model::Event& a, const model::Event& b) {
  return is_access(a) && is_access(b) && a.object == b.object && a.thread != b.thread &&
         (a.kind == model::EventKind::kWrite || b.kind == model::EventKind::kWrite);
}

}  // namespace deadheat::predict
