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

constexpr std::string_view kAtomicClasses = "java/util/concurrent/atomic/";

// By site: what an access there is to the program.
enum class Access : std::uint8_t {
  kOfData,     // its own, or one of an atomic class, whose data is the program's
  kSureWrite,  // the same, and an update writes whatever it finds
  kInternal,   // the JDK's way to be thread-safe
};

std::vector<Access> accesses_at(const trace::Trace& trace) {
  std::vector<Access> accesses{Access::kOfData};
  for (std::uint32_t site = 1; site <= trace.sites.size(); ++site) {
    const std::string_view text = trace.sites.text(site);
    if (!text.starts_with(kAtomicClasses)) {
      accesses.push_back(trace::is_jdk_site(text) ? Access::kInternal : Access::kOfData);
      continue;
    }
    const std::string method = trace::parse_location(text).method;
    const bool is_sure = method == "getAndSet" || method == "getAndAdd" || method == "addAndGet" ||
                         method == "getAndIncrement" || method == "incrementAndGet" || method == "getAndDecrement" ||
                         method == "decrementAndGet";
    accesses.push_back(is_sure ? Access::kSureWrite : Access::kOfData);
  }
  return accesses;
}

// Not what the recorder has made up.
bool is_variable(std::string_view name) {
  if (trace::is_order_mark(name)) return false;
  for (const std::string_view prefix : {"fields@", "class:", "freeze@", "memory+", "interrupt:", "static:"}) {
    if (name.starts_with(prefix)) return false;
  }
  return true;
}

// By synchronisation object: whether it is data that two threads access and one of them writes. Where there is a
// compare-and-set of it, it is not: who uses those reckons with others, and one that fails is told like one that does
// not.
std::vector<bool> shared_data(const trace::Trace& trace, std::uint32_t syncs) {
  const std::vector<Access> accesses = accesses_at(trace);
  struct Use {
    model::ThreadId first{};
    bool by_several = false;
    bool is_written = false;
    bool is_left_out = false;
  };
  std::vector<Use> uses(syncs + 1);
  for (const Event& event : trace.events) {
    if (!is_volatile_access(event)) continue;
    const std::uint32_t site = to_number(event.site);
    const Access access = site < accesses.size() ? accesses[site] : Access::kOfData;
    Use& use = uses[event.object];
    if (use.first == model::ThreadId{}) use.first = event.thread;
    use.by_several |= use.first != event.thread;
    use.is_written |= event.kind != EventKind::kVolatileRead;
    use.is_left_out |= access == Access::kInternal || event.mode == model::AccessMode::kPlain ||
                       (event.kind == EventKind::kVolatileUpdate && access != Access::kSureWrite);
  }
  std::vector<bool> shared(syncs + 1);
  for (std::uint32_t sync = 1; sync <= syncs; ++sync) {
    const Use& use = uses[sync];
    if (!use.by_several || !use.is_written || use.is_left_out) continue;
    shared[sync] = sync > trace.syncs.size() || is_variable(trace.syncs.text(sync));
  }
  return shared;
}

}  // namespace

std::optional<VolatileData> volatile_data(const trace::Trace& trace) {
  const bool has_regions = std::any_of(trace.events.begin(), trace.events.end(),
                                       [](const Event& event) { return event.kind == EventKind::kRegionEnter; });
  if (!has_regions) return std::nullopt;
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
  data.alone.events = data.trace.events;
  for (std::size_t i = 0; i < data.alone.events.size(); ++i) {
    if (is_access(data.alone.events[i]) && !data.is_converted[i + 1])
      data.alone.events[i].kind = EventKind::kMethodEnter;
  }
  return data;
}

}  // namespace deadheat::predict
