// SPDX-License-Identifier: Apache-2.0
#include "predict/closed_past.h"

#include <algorithm>

namespace deadheat::predict {

ClosedPast::ClosedPast(const trace::Trace& trace, const TraceLinks& links,
                       const std::vector<std::vector<EventNumber>>& threads)
    : trace_(trace), links_(links), threads_(threads), held_(links.sizes) {
  for (EventNumber i = 1; i <= links.sizes.events; ++i) {
    const model::Event& e = trace.events[i - 1];
    if (is_acquire(e)) held_.open(e, i);
    if (is_release(e)) held_.close(e, i);
    held_.mark(to_number(e.thread), i);
  }
}

class ClosedPast::Closing {
 public:
  explicit Closing(const ClosedPast& past) : past_(past), end_(past.threads_.size()), count_(past.threads_.size()) {}

  // With the event, all that it needs.
  void add(EventNumber event) {
    if (event != 0) work_.push_back(event);
    while (!work_.empty()) {
      const EventNumber next = work_.back();
      work_.pop_back();
      const std::uint32_t t = to_number(past_.trace_.events[next - 1].thread);
      for (; end_[t] < next; ++count_[t]) {
        const EventNumber e = past_.threads_[t][count_[t]];
        end_[t] = e;
        for (const EventNumber need : {past_.links_.previous[e], past_.links_.source[e], past_.links_.joined[e]}) {
          if (need != 0 && !has(need)) work_.push_back(need);
        }
      }
    }
  }
  // Ends sections that a later one of the same lock follows, until there are none.
  void close() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t t = 1; t < end_.size(); ++t) {
        EventNumber release = 0;
        past_.held_.for_each_after(end_[t], [&](const Section& s) {
          if (s.release != 0 && past_.held_.is_followed(s, end_.data())) release = s.release;
          return release == 0;
        });
        add(release);
        changed |= release != 0;
      }
    }
  }
  bool has(EventNumber e) const { return e <= end_[to_number(past_.trace_.events[e - 1].thread)]; }
  std::vector<EventNumber> events() const {
    std::vector<EventNumber> events;
    for (std::uint32_t t = 1; t < end_.size(); ++t) {
      events.insert(events.end(), past_.threads_[t].begin(),
                    past_.threads_[t].begin() + static_cast<std::ptrdiff_t>(count_[t]));
    }
    std::sort(events.begin(), events.end());
    return events;
  }

 private:
  const ClosedPast& past_;
  std::vector<EventNumber> end_;    // by thread: its last event that is inside
  std::vector<std::size_t> count_;  // by thread: how many are inside
  std::vector<EventNumber> work_;
};

std::optional<std::vector<EventNumber>> ClosedPast::of(EventNumber a, EventNumber b) const {
  Closing closing(*this);
  closing.add(links_.previous[a]);
  closing.add(links_.previous[b]);
  closing.close();
  if (closing.has(a) || closing.has(b)) return std::nullopt;
  return closing.events();
}

}  // namespace deadheat::predict
