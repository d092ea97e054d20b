// SPDX-License-Identifier: Apache-2.0
#include "predict/program_units.h"

#include <set>
#include <utility>

#include "predict/links.h"
#include "predict/trace_sizes.h"
#include "predict/unit_ends.h"
#include "trace/location.h"

namespace deadheat::predict {

using model::Event;
using model::EventKind;

namespace {

enum class Code : std::uint8_t { kProgram, kJdk, kThreadSafeJdk };

// By site.
std::vector<Code> codes_of(const trace::Trace& trace) {
  std::vector<Code> codes{Code::kProgram};
  for (std::uint32_t site = 1; site <= trace.sites.size(); ++site) {
    const std::string& text = trace.sites.text(site);
    const bool is_thread_safe = text.starts_with("java/util/concurrent/") || text.starts_with("java/lang/");
    codes.push_back(is_thread_safe ? Code::kThreadSafeJdk : trace::is_jdk_site(text) ? Code::kJdk : Code::kProgram);
  }
  return codes;
}

class Builder {
 public:
  explicit Builder(const trace::Trace& trace)
      : trace_(trace), codes_(codes_of(trace)), ends_(trace), threads_(sizes_of(trace).threads + 1) {
    units_.original.push_back(0);
  }

  ProgramUnits build() && {
    for (const Event& event : trace_.events) {
      ++number_;
      on_event(event);
    }
    return std::move(units_);
  }

 private:
  struct Thread {
    std::uint32_t depth = 0;                           // of regions and sections of the program
    std::set<std::pair<std::uint64_t, bool>> counted;  // these sections: lock, shared
  };

  void on_event(const Event& e) {
    Thread& me = threads_[to_number(e.thread)];
    if (ends_.at(e)) return cut(me, e);
    switch (e.kind) {
      case EventKind::kRead:
      case EventKind::kWrite:
        if (code_of(e) != Code::kThreadSafeJdk) put(e);
        return;
      case EventKind::kVolatileRead:
      case EventKind::kVolatileWrite:
      case EventKind::kVolatileUpdate:
        if (code_of(e) == Code::kProgram && !trace::is_order_mark(trace_.syncs.text(e.object))) put(e);
        return;
      case EventKind::kRegionEnter:
        return enter(me, e);
      case EventKind::kRegionExit:
        return leave(me, e);
      case EventKind::kAcquire:
      case EventKind::kAcquireShared:
        if (code_of(e) == Code::kProgram && me.counted.emplace(e.object, is_shared_lock(e)).second) enter(me, e);
        return;
      case EventKind::kRelease:
      case EventKind::kReleaseShared:
        if (me.counted.erase({e.object, is_shared_lock(e)}) != 0) leave(me, e);
        return;
      default:
        return;
    }
  }

  Code code_of(const Event& e) const {
    return to_number(e.site) < codes_.size() ? codes_[to_number(e.site)] : Code::kProgram;
  }
  void enter(Thread& me, const Event& e) {
    if (me.depth++ == 0) put_boundary(EventKind::kRegionEnter, e);
  }
  void leave(Thread& me, const Event& e) {
    if (me.depth != 0 && --me.depth == 0) put_boundary(EventKind::kRegionExit, e);
  }
  void cut(const Thread& me, const Event& e) {
    if (me.depth == 0) return;
    put_boundary(EventKind::kRegionExit, e);
    put_boundary(EventKind::kRegionEnter, e);
  }
  void put_boundary(EventKind kind, const Event& e) { put({.kind = kind, .thread = e.thread, .site = e.site}); }
  void put(const Event& event) {
    units_.trace.events.push_back(event);
    units_.original.push_back(number_);
  }

  const trace::Trace& trace_;
  const std::vector<Code> codes_;
  const UnitEnds ends_;
  std::vector<Thread> threads_;  // by thread
  EventNumber number_ = 0;
  ProgramUnits units_;
};

}  // namespace

ProgramUnits program_units(const trace::Trace& trace) { return Builder(trace).build(); }

}  // namespace deadheat::predict
