// SPDX-License-Identifier: Apache-2.0
#include "predict/closed_past.h"

#include <algorithm>
#include <utility>

namespace deadheat::predict {

using model::EventKind;

ClosedPast::ClosedPast(const trace::Trace& trace, const TraceLinks& links,
                       const std::vector<std::vector<EventNumber>>& threads)
    : trace_(trace), links_(links), threads_(threads), held_(links.sizes) {
  for (EventNumber i = 1; i <= links.sizes.events; ++i) {
    const model::Event& e = trace.events[i - 1];
    if (is_acquire(e)) held_.open(e, i);
    if (is_release(e)) held_.close(e, i);
    held_.mark(to_number(e.thread), i);
    add_permit_event(e, i);
  }
}

void ClosedPast::add_permit_event(const model::Event& e, EventNumber i) {
  const bool is_unpark = e.kind == EventKind::kUnpark;
  if (!is_unpark && (e.kind != EventKind::kPark || links_.source[i] == 0)) return;
  auto& threads = permits_[e.object];
  const std::uint32_t t = to_number(e.thread);
  auto mine = std::find_if(threads.begin(), threads.end(), [t](const PermitEvents& p) { return p.thread == t; });
  if (mine == threads.end()) mine = threads.insert(mine, {t, {}, {}});
  (is_unpark ? mine->unparks : mine->parks).push_back(i);
}

class ClosedPast::Closing {
 public:
  // Which unpark a park takes its permit from: the one of the trace, or any that is there.
  enum class Permits { kAsRecorded, kFromAny };

  // The start must outlive this.
  Closing(const ClosedPast& past, const Start& start, Permits permits)
      : past_(past), start_(start), permits_(permits), end_(start.end), count_(start.count) {}

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
        if (permits_ == Permits::kFromAny) count_permit(e);
        for (const EventNumber need : {past_.links_.previous[e], source_of(e), past_.links_.joined[e]}) {
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
  // Permits that more parks have taken than there were.
  std::vector<std::uint64_t> lacking_permits() const {
    std::vector<std::uint64_t> lacking;
    for (const auto& [permit, left] : permits_left_) {
      if (left < 0) lacking.push_back(permit);
    }
    return lacking;
  }
  // The next unpark of each thread that has one before it comes to a or b.
  std::vector<EventNumber> next_unparks(std::uint64_t permit, EventNumber a, EventNumber b) const {
    std::vector<EventNumber> next;
    for (const PermitEvents& of : past_.permits_.at(permit)) {
      const auto unpark = std::upper_bound(of.unparks.begin(), of.unparks.end(), end_[of.thread]);
      if (unpark != of.unparks.end() && !comes_after(*unpark, a) && !comes_after(*unpark, b)) next.push_back(*unpark);
    }
    return next;
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
  EventNumber source_of(EventNumber e) const {
    const bool is_free = permits_ == Permits::kFromAny && past_.trace_.events[e - 1].kind == EventKind::kPark;
    return is_free ? 0 : past_.links_.source[e];
  }
  // An unpark may find the permit there and make none, so this counts too many rather than too few.
  void count_permit(EventNumber e) {
    const model::Event& event = past_.trace_.events[e - 1];
    const bool is_unpark = event.kind == EventKind::kUnpark;
    if (!is_unpark && (event.kind != EventKind::kPark || past_.links_.source[e] == 0)) return;
    const auto [left, is_new] = permits_left_.try_emplace(event.object, 0);
    if (is_new) left->second = is_left_by_start(event.object);
    left->second += is_unpark ? 1 : -1;
  }
  bool is_left_by_start(std::uint64_t permit) const {
    EventNumber unpark = 0;
    EventNumber park = 0;
    for (const PermitEvents& of : past_.permits_.at(permit)) {
      unpark = std::max(unpark, last_until(of.unparks, start_.end[of.thread]));
      park = std::max(park, last_until(of.parks, start_.end[of.thread]));
    }
    return unpark > park;
  }
  static EventNumber last_until(const std::vector<EventNumber>& events, EventNumber end) {
    const auto behind = std::upper_bound(events.begin(), events.end(), end);
    return behind == events.begin() ? 0 : *(behind - 1);
  }
  bool comes_after(EventNumber e, EventNumber other) const {
    return e > other && past_.trace_.events[e - 1].thread == past_.trace_.events[other - 1].thread;
  }

  const ClosedPast& past_;
  const Start& start_;
  const Permits permits_;
  std::vector<EventNumber> end_;    // by thread: its last event that is inside
  std::vector<std::size_t> count_;  // by thread: how many are inside
  std::vector<EventNumber> work_;
  std::unordered_map<std::uint64_t, std::int64_t> permits_left_;  // of those that events behind the start are about
  bool has_changed_ = false;
};

std::optional<ClosedPast::Past> ClosedPast::of(EventNumber a, EventNumber b, EventNumber near) const {
  // With all events before `first` for granted, and nothing asked of them, what comes in behind them comes in because
  // of the two accesses: it is part of the set, so if it has one of the two there is no need to make the whole set,
  // which begins with the trace.
  if (const EventNumber first = std::min(a, b); first > near) {
    const Start nearly_all = everything_before(first - near);
    Closing latest(*this, nearly_all, Closing::Permits::kAsRecorded);
    latest.add(links_.previous[a]);
    latest.add(links_.previous[b]);
    latest.close(first - near);
    if (latest.has(a) || latest.has(b)) return std::nullopt;
  }
  const Start nothing = everything_before(1);
  Closing closing(*this, nothing, Closing::Permits::kAsRecorded);
  closing.add(links_.previous[a]);
  closing.add(links_.previous[b]);
  closing.close();
  if (closing.has(a) || closing.has(b)) return std::nullopt;
  return closing.events();
}

bool ClosedPast::is_ruled_out(EventNumber a, EventNumber b, const Start& start) const {
  Closing closing(*this, start, Closing::Permits::kFromAny);
  closing.add(links_.previous[a]);
  closing.add(links_.previous[b]);
  return is_stuck(closing, a, b, true);
}

bool ClosedPast::is_stuck(Closing& closing, EventNumber a, EventNumber b, bool looks_ahead) const {
  for (;;) {
    if (closing.has(a) || closing.has(b)) return true;
    if (!closing.end_sections_against(a) || !closing.end_sections_against(b)) return true;
    if (closing.take_change()) continue;
    const Step step = add_permits(closing, a, b, looks_ahead);
    if (step != Step::kGrown) return step == Step::kStuck;
  }
}

ClosedPast::Step ClosedPast::add_permits(Closing& closing, EventNumber a, EventNumber b, bool looks_ahead) const {
  for (const std::uint64_t permit : closing.lacking_permits()) {
    std::vector<EventNumber> unparks = closing.next_unparks(permit, a, b);
    if (unparks.size() > 1 && looks_ahead) {
      std::erase_if(unparks, [&](EventNumber unpark) {
        Closing with = closing;
        with.add(unpark);
        return is_stuck(with, a, b, false);
      });
    }
    if (unparks.empty()) return Step::kStuck;
    if (unparks.size() > 1) continue;  // one of them: nothing follows from that
    closing.add(unparks[0]);
    return Step::kGrown;
  }
  return Step::kNone;
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
