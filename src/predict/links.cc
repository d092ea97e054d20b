// SPDX-License-Identifier: Apache-2.0
#include "predict/links.h"

#include <map>
#include <tuple>
#include <utility>

namespace deadheat::predict {

using model::Event;
using model::EventKind;

namespace {

class Linker {
 public:
  Linker(TraceLinks& links, const TraceSizes& sizes)
      : links_(links),
        last_(sizes.threads + 1),
        forks_(sizes.threads + 1),
        waiting_(sizes.threads + 1),
        writes_(sizes.variables + 1),
        volatile_writes_(sizes.syncs + 1),
        permits_(sizes.syncs + 1) {}

  void on_event(const Event& e, EventNumber i) {
    const std::uint32_t t = to_number(e.thread);
    links_.previous[i] = last_[t] != 0 ? last_[t] : forks_[t];
    switch (e.kind) {
      case EventKind::kRead:
        links_.source[i] = writes_[e.object];
        break;
      case EventKind::kWrite:
        writes_[e.object] = i;
        add_writer(links_.writer[e.object], t);
        break;
      case EventKind::kVolatileRead:
        links_.source[i] = volatile_writes_[e.object];
        break;
      case EventKind::kVolatileUpdate:
        links_.source[i] = volatile_writes_[e.object];
        [[fallthrough]];
      case EventKind::kVolatileWrite:
        volatile_writes_[e.object] = i;
        add_writer(links_.volatile_writer[e.object], t);
        break;
      case EventKind::kPark:
        links_.source[i] = std::exchange(permits_[e.object], 0);
        break;
      case EventKind::kUnpark:
        if (permits_[e.object] == 0) permits_[e.object] = i;
        break;
      case EventKind::kFork:
        forks_[e.object] = i;
        break;
      case EventKind::kJoin:
        links_.joined[i] = last_[e.object] != 0 ? last_[e.object] : forks_[e.object];
        break;
      case EventKind::kNotify:
        on_notify(e, i);
        break;
      case EventKind::kWaitBegin:
        waiting_[t] = static_cast<std::uint32_t>(links_.waits.size() + 1);
        links_.waits.push_back({i, 0, 0});
        on_release(e, i);
        break;
      case EventKind::kWaitEnd:
        on_wait_end(e, i);
        break;
      case EventKind::kAcquire:
      case EventKind::kAcquireShared:
        open_[{t, e.object, is_shared_lock(e)}] = i;
        break;
      case EventKind::kRelease:
      case EventKind::kReleaseShared:
        on_release(e, i);
        break;
      default:
        break;
    }
    last_[t] = i;
  }

 private:
  static void add_writer(std::uint32_t& writer, std::uint32_t thread) {
    writer = writer == TraceLinks::kNobody || writer == thread ? thread : TraceLinks::kSeveral;
  }
  void on_release(const Event& e, EventNumber i) {
    const auto found = open_.find({to_number(e.thread), e.object, is_shared_lock(e)});
    if (found == open_.end()) return;
    links_.partner[i] = found->second;
    links_.partner[found->second] = i;
    open_.erase(found);
  }
  void on_notify(const Event& e, EventNumber i) {
    const std::uint32_t wait = waiting_[to_number(e.peer)];
    if (e.peer == model::ThreadId{} || wait == 0 || links_.waits[wait - 1].notify != 0) return;
    links_.waits[wait - 1].notify = i;
    links_.source[i] = links_.waits[wait - 1].begin;
  }
  void on_wait_end(const Event& e, EventNumber i) {
    const std::uint32_t t = to_number(e.thread);
    if (const std::uint32_t wait = std::exchange(waiting_[t], 0); wait != 0) {
      links_.waits[wait - 1].end = i;
      links_.source[i] = links_.waits[wait - 1].notify;
    }
    open_[{t, e.object, false}] = i;
  }

  struct Hold {
    std::uint32_t thread;
    std::uint64_t lock;
    bool shared;
    bool operator<(const Hold& other) const {
      return std::tie(thread, lock, shared) < std::tie(other.thread, other.lock, other.shared);
    }
  };
  TraceLinks& links_;
  std::vector<EventNumber> last_;
  std::vector<EventNumber> forks_;
  std::vector<std::uint32_t> waiting_;  // by thread: 1 + index into waits
  std::vector<EventNumber> writes_;
  std::vector<EventNumber> volatile_writes_;
  std::vector<EventNumber> permits_;  // the unpark that made the permit that is there
  std::map<Hold, EventNumber> open_;
};

}  // namespace

TraceLinks::TraceLinks(const trace::Trace& trace)
    : sizes(sizes_of(trace)),
      previous(sizes.events + 1),
      source(sizes.events + 1),
      partner(sizes.events + 1),
      joined(sizes.events + 1),
      is_found_waiting(sizes.events + 1),
      writer(sizes.variables + 1),
      volatile_writer(sizes.syncs + 1) {
  Linker linker(*this, sizes);
  for (EventNumber i = 1; i <= sizes.events; ++i) linker.on_event(trace.events[i - 1], i);
  for (const Wait& wait : waits) is_found_waiting[wait.begin] = wait.notify != 0 || wait.end == 0;
}

}  // namespace deadheat::predict
