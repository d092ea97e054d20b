// SPDX-License-Identifier: Apache-2.0
//
// lockset: Eraser (Savage et al., TOCS 1997, section 2.2 and 2.3): from the second thread on, the locks held at every
// access; a write counts only those that its thread holds alone. Racy is an access with which none is left, once the
// variable was written while shared. Knows no order between threads.
#include <algorithm>
#include <utility>

#include "predict/race_analyses.h"
#include "predict/trace_sizes.h"

namespace deadheat::predict {

using model::Event;
using model::EventKind;

namespace {

struct Held {
  std::uint32_t lock = 0;
  bool shared = false;
  bool operator==(const Held&) const = default;
};

class LocksetRun {
 public:
  explicit LocksetRun(const trace::Trace& trace)
      : trace_(trace), sizes_(sizes_of(trace)), held_(sizes_.threads + 1), variables_(sizes_.variables + 1) {}

  AnalysisResult run() {
    for (EventNumber i = 1; i <= sizes_.events; ++i) {
      const Event& e = trace_.events[i - 1];
      auto& held = held_[to_number(e.thread)];
      if (is_access(e)) {
        if (is_racy(e, held)) result_.racy.push_back(i);
      } else if (is_acquire(e)) {
        held.push_back({static_cast<std::uint32_t>(e.object), is_shared_lock(e)});
      } else if (is_release(e)) {
        const Held which{static_cast<std::uint32_t>(e.object), is_shared_lock(e)};
        const auto found = std::find(held.rbegin(), held.rend(), which);
        if (found != held.rend()) held.erase(std::next(found).base());
      }
    }
    result_.memory_bytes = memory_bytes();
    return std::move(result_);
  }

 private:
  // Figure 4 of the paper.
  enum class State : std::uint8_t { kVirgin, kExclusive, kShared, kSharedModified };
  struct Variable {
    State state = State::kVirgin;
    std::uint32_t thread = 0;
    std::vector<std::uint32_t> candidates;
  };

  bool is_racy(const Event& e, const std::vector<Held>& held) {
    Variable& v = variables_[e.object];
    const bool is_write = e.kind == EventKind::kWrite;
    switch (v.state) {
      case State::kVirgin:
        v.state = State::kExclusive;
        v.thread = to_number(e.thread);
        return false;
      case State::kExclusive:
        if (v.thread == to_number(e.thread)) return false;
        v.state = is_write ? State::kSharedModified : State::kShared;
        for (const Held& h : held) {
          if (!is_write || !h.shared) v.candidates.push_back(h.lock);
        }
        break;
      case State::kShared:
      case State::kSharedModified:
        if (is_write) v.state = State::kSharedModified;
        std::erase_if(v.candidates, [&](std::uint32_t lock) {
          return std::none_of(held.begin(), held.end(),
                              [&](const Held& h) { return h.lock == lock && (!is_write || !h.shared); });
        });
        break;
    }
    return v.state == State::kSharedModified && v.candidates.empty();
  }

  std::uint64_t memory_bytes() const {
    std::uint64_t bytes = variables_.capacity() * sizeof(Variable) + result_.racy.capacity() * sizeof(EventNumber);
    for (const Variable& v : variables_) bytes += v.candidates.capacity() * sizeof(std::uint32_t);
    return bytes;
  }

  const trace::Trace& trace_;
  const TraceSizes sizes_;
  AnalysisResult result_;
  std::vector<std::vector<Held>> held_;  // by thread
  std::vector<Variable> variables_;
};

}  // namespace

AnalysisResult lockset(const trace::Trace& trace, const AnalysisOptions&) { return LocksetRun(trace).run(); }

}  // namespace deadheat::predict
