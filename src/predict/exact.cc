// SPDX-License-Identifier: Apache-2.0
#include "predict/exact.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "predict/closed_past.h"
#include "predict/exact_window.h"
#include "predict/race_analyses.h"

namespace deadheat::predict {

using model::Event;
using model::EventKind;

namespace {

// How many pairs of the trace conflict, near or far.
std::uint64_t count_conflicts(const trace::Trace& trace, const TraceSizes& sizes) {
  struct Counts {
    std::uint64_t pairs_of_threads = 0;  // two accesses of different threads
    std::uint64_t accesses = 0;
  };
  // Pairs of different threads, less those of which both read.
  std::vector<Counts> all(sizes.variables + 1);
  std::vector<Counts> reads(sizes.variables + 1);
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> of_thread(sizes.variables + 1);
  for (const Event& e : trace.events) {
    if (!is_access(e)) continue;
    auto& mine = of_thread[e.object];
    if (mine.size() <= to_number(e.thread)) mine.resize(to_number(e.thread) + 1);
    auto& [my_accesses, my_reads] = mine[to_number(e.thread)];
    Counts& a = all[e.object];
    a.pairs_of_threads += a.accesses++ - my_accesses++;
    if (e.kind == EventKind::kWrite) continue;
    Counts& r = reads[e.object];
    r.pairs_of_threads += r.accesses++ - my_reads++;
  }
  std::uint64_t count = 0;
  for (std::size_t v = 0; v < all.size(); ++v) count += all[v].pairs_of_threads - reads[v].pairs_of_threads;
  return count;
}

class ExactRun {
 public:
  ExactRun(const trace::Trace& trace, const AnalysisOptions& options, Shortcuts shortcuts)
      : trace_(trace),
        options_(options),
        shortcuts_(shortcuts),
        links_(trace),
        threads_(links_.sizes.threads + 1),
        has_permit_(links_.sizes.syncs + 1) {}

  AnalysisResult run() {
    if (shortcuts_ == Shortcuts::kAll) {
      known_ = sync_preserving(trace_, {.pairs = true, .max_pairs = options_.max_pairs}).pairs;
      found_.insert(known_.begin(), known_.end());
      for (EventNumber i = 1; i <= links_.sizes.events; ++i)
        threads_[to_number(trace_.events[i - 1].thread)].push_back(i);
      past_.emplace(trace_, links_, threads_);
    }
    const EventNumber count = links_.sizes.events;
    const EventNumber size = std::max<EventNumber>(options_.window, 2);
    const EventNumber step = std::max<EventNumber>(size / 2, 1);
    for (EventNumber first = 1; first <= count; first += step) {
      move_permits_to(first);
      const EventNumber last = std::min(count, first + size - 1);
      look(first, last, first == 1 ? 0 : first + (size - step) - 1);
      if (last == count) break;
    }
    return result();
  }

 private:
  void move_permits_to(EventNumber first) {
    for (; permits_at_ < first; ++permits_at_) {
      const Event& e = trace_.events[permits_at_ - 1];
      if (e.kind == EventKind::kUnpark) has_permit_[e.object] = true;
      if (e.kind == EventKind::kPark) has_permit_[e.object] = false;
    }
  }

  // Pairs up to `seen` were looked at in the window before.
  void look(EventNumber first, EventNumber last, EventNumber seen) {
    const auto start = past_ ? past_->everything_before(first) : ClosedPast::Start{};
    std::optional<ExactWindow> window;  // made for the first pair that needs it
    for (EventNumber b = std::max(first, seen + 1); b <= last; ++b) {
      for (EventNumber a = first; a < b; ++a) {
        if (!is_conflict(trace_.events[a - 1], trace_.events[b - 1])) continue;
        ++looked_at_;
        if (found_.count({a, b}) != 0) continue;
        if (past_ && past_->is_ruled_out(a, b, start)) continue;
        if (!window) window.emplace(trace_, links_, first, last, has_permit_, WindowRules{options_.query_milliseconds});
        const Answer answer = window->can_meet(a, b);
        if (answer == Answer::kYes) found_.insert({a, b});
        if (answer == Answer::kUnknown) ++unanswered_;
      }
    }
  }
  AnalysisResult result() {
    AnalysisResult result;
    std::set<EventNumber> racy;
    std::uint64_t beyond = 0;
    for (const EventPair& pair : found_) {
      racy.insert(pair.second);
      if (result.pairs.size() < options_.max_pairs && options_.pairs) {
        result.pairs.push_back(pair);
      } else if (options_.pairs) {
        ++beyond;
      }
    }
    result.racy.assign(racy.begin(), racy.end());
    const std::uint64_t far = count_conflicts(trace_, links_.sizes) - looked_at_;
    if (far != 0)
      result.given_up.push_back({"conflicting pairs further apart than the window, sync-preserving only", far});
    if (unanswered_ != 0) result.given_up.push_back({"pairs the solver had no answer for in time", unanswered_});
    if (beyond != 0) result.given_up.push_back({"pairs beyond the limit", beyond});
    // Links, threads and sections; the solver's own memory is that of one window.
    result.memory_bytes = std::uint64_t{links_.sizes.events} * 6 * sizeof(EventNumber);
    if (past_) result.memory_bytes += past_->memory_bytes();
    return result;
  }

  const trace::Trace& trace_;
  const AnalysisOptions options_;
  const Shortcuts shortcuts_;
  const TraceLinks links_;
  std::vector<std::vector<EventNumber>> threads_;  // by thread: its events
  std::optional<ClosedPast> past_;                 // with shortcuts
  std::vector<bool> has_permit_;
  EventNumber permits_at_ = 1;  // has_permit_ is as of the moment before this event
  std::vector<EventPair> known_;
  std::set<EventPair> found_;
  std::uint64_t looked_at_ = 0;
  std::uint64_t unanswered_ = 0;
};

}  // namespace

AnalysisResult exact_with(const trace::Trace& trace, const AnalysisOptions& options, Shortcuts shortcuts) {
  return ExactRun(trace, options, shortcuts).run();
}

AnalysisResult exact(const trace::Trace& trace, const AnalysisOptions& options) {
  return exact_with(trace, options, Shortcuts::kAll);
}

}  // namespace deadheat::predict
