// SPDX-License-Identifier: Apache-2.0
#include "predict/volatile_data.h"

#include <algorithm>
#include <string_view>

#include "predict/links.h"
#include "predict/trace_sizes.h"
#include "trace/location.h"

namespace deadheat::predict {

using model::Event;
using model::EventKind;

namespace {

// Not what the recorder has made up, and not what the JDK's classes use for themselves: java.util.concurrent.atomic has
// the program's data in it.
bool is_data(std::string_view name) {
  if (name.starts_with("java.util.concurrent.atomic.Atomic")) return true;
  if (trace::is_order_mark(name)) return false;
  for (const std::string_view prefix : {"java.", "jdk.", "sun.", "javax.", "com.sun.", "fields@", "class:", "freeze@",
                                        "memory+", "interrupt:", "static:"}) {
    if (name.starts_with(prefix)) return false;
  }
  return true;
}

// By synchronisation object: whether it is data that two threads access and one of them writes.
std::vector<bool> shared_data(const trace::Trace& trace, std::uint32_t syncs) {
  struct Use {
    model::ThreadId first{};
    bool by_several = false;
    bool is_written = false;
    bool is_plain = false;  // a variable too, which has the accesses
  };
  std::vector<Use> uses(syncs + 1);
  for (const Event& event : trace.events) {
    if (!is_volatile_access(event)) continue;
    Use& use = uses[event.object];
    if (use.first == model::ThreadId{}) use.first = event.thread;
    use.by_several |= use.first != event.thread;
    use.is_written |= event.kind != EventKind::kVolatileRead;
    use.is_plain |= event.mode == model::AccessMode::kPlain;
  }
  std::vector<bool> shared(syncs + 1);
  for (std::uint32_t sync = 1; sync <= syncs; ++sync) {
    if (!uses[sync].by_several || !uses[sync].is_written || uses[sync].is_plain) continue;
    shared[sync] = sync > trace.syncs.size() || is_data(trace.syncs.text(sync));
  }
  return shared;
}

}  // namespace

std::optional<VolatileData> volatile_data(const trace::Trace& trace) {
  const TraceSizes sizes = sizes_of(trace);
  const std::vector<bool> shared = shared_data(trace, sizes.syncs);
  if (std::find(shared.begin(), shared.end(), true) == shared.end()) return std::nullopt;
  VolatileData data;
  data.trace.events = trace.events;
  data.is_converted.resize(trace.events.size() + 1);
  for (std::size_t i = 0; i < data.trace.events.size(); ++i) {
    Event& event = data.trace.events[i];
    if (!is_volatile_access(event) || !shared[event.object]) continue;
    data.has_updates |= event.kind == EventKind::kVolatileUpdate;
    event.kind = event.kind == EventKind::kVolatileRead ? EventKind::kRead : EventKind::kWrite;
    event.object += sizes.variables;
    data.is_converted[i + 1] = true;
  }
  return data;
}

}  // namespace deadheat::predict
