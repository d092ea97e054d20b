// SPDX-License-Identifier: Apache-2.0
#include "predict/closed_past.h"

#include <algorithm>
#include <utility>

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
  Closing(const ClosedPast& past, Start start)
      : past_(past), end_(std::move(start.end)), count_(std::move(start.count)) {}

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
  // Ends sections that begin at `first` or later and that a later one of the same lock follows, until there are none.
  void close(EventNumber first = 0) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t t = 1; t < end_.size(); ++t) {
        EventNumber release = 0;
        past_.held_.for_each_after(end_[t], [&](const Section& s) {
          if (s.acquire >= first && s.release != 0 && past_.held_.is_followed(s, end_.data())) release = s.release;
          return release == 0;
        });
        add(release);
        changed |= release != 0;
      }
    }
  }
  // Ends sections of the locks that a thread holds when it stands right before `stop`: they can only come before.
  // False: one of them cannot end.
  bool end_sections_against(EventNumber stop) {
    return past_.held_.for_each_after(stop, [&](const Section& mine) {
      for (std::uint32_t u = 1; u < end_.size(); ++u) {
        if (u == mine.thread) continue;
        EventNumber release = 0;
        const bool can_end = past_.held_.for_each_after(end_[u], [&](const Section& s) {
          if (s.lock != mine.lock || (s.shared && mine.shared)) return true;
          release = s.release;
          return release != 0;
        });
        if (!can_end) return false;
        if (release != 0) {
          add(release);
          has_changed_ = true;
        }
      }
      return true;
    });
  }
  bool take_change() { return std::exchange(has_changed_, false); }
  bool has(EventNumber e) const { return e <= end_[to_number(past_.trace_.events[e - 1].thread)]; }
  Past events() const {
    Past past{past_.links_.sizes.events, {}};
    for (std::uint32_t t = 1; t < end_.size(); ++t) {
      if (count_[t] < past_.threads_[t].size()) past.prefix = std::min(past.prefix, past_.threads_[t][count_[t]] - 1);
    }
    for (std::uint32_t t = 1; t < end_.size(); ++t) {
      const auto end = past_.threads_[t].begin() + static_cast<std::ptrdiff_t>(count_[t]);
      past.events.insert(past.events.end(), std::upper_bound(past_.threads_[t].begin(), end, past.prefix), end);
    }
    std::sort(past.events.begin(), past.events.end());
    return past;
  }

 private:
  const ClosedPast& past_;
  std::vector<EventNumber> end_;    // by thread: its last event that is inside
  std::vector<std::size_t> count_;  // by thread: how many are inside
  std::vector<EventNumber> work_;
  bool has_changed_ = false;
};

std::optional<ClosedPast::Past> ClosedPast::of(EventNumber a, EventNumber b, EventNumber near) const {
  // With all events before `first` for granted, and nothing asked of them, what comes in behind them comes in because
  // of the two accesses: it is part of the set, so if it has one of the two there is no need to make the whole set,
  // which begins with the trace.
  if (const EventNumber first = std::min(a, b); first > near) {
    Closing latest(*this, everything_before(first - near));
    latest.add(links_.previous[a]);
    latest.add(links_.previous[b]);
    latest.close(first - near);
    if (latest.has(a) || latest.has(b)) return std::nullopt;
  }
  Closing closing(*this, everything_before(1));
  closing.add(links_.previous[a]);
  closing.add(links_.previous[b]);
  closing.close();
  if (closing.has(a) || closing.has(b)) return std::nullopt;
  return closing.events();
}

bool ClosedPast::is_ruled_out(EventNumber a, EventNumber b, const Start& start) const {
  Closing closing(*this, start);
  closing.add(links_.previous[a]);
  closing.add(links_.previous[b]);
  do {
    if (closing.has(a) || closing.has(b)) return true;
    if (!closing.end_sections_against(a) || !closing.end_sections_against(b)) return true;
  } while (closing.take_change());
  return false;
}

ClosedPast::Start ClosedPast::everything_before(EventNumber event) const {
  Start start{std::vector<EventNumber>(threads_.size()), std::vector<std::size_t>(threads_.size())};
  for (std::uint32_t t = 1; t < threads_.size(); ++t) {
    const auto first = std::lower_bound(threads_[t].begin(), threads_[t].end(), event);
    start.count[t] = static_cast<std::size_t>(first - threads_[t].begin());
    if (start.count[t] != 0) start.end[t] = *(first - 1);
  }
  return start;
}

}  // namespace deadheat::predict
