// SPDX-License-Identifier: Apache-2.0
#include "predict/exact_window.h"

#include <z3++.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace deadheat::predict {

using model::Event;
using model::EventKind;

// For each event e of the window: in(e), whether the reordering has it, and at(e), its place. The rules are those of
// world.h, one function each.
class ExactWindow::Formula {
 public:
  Formula(const trace::Trace& trace, const TraceLinks& links, EventNumber first, EventNumber last,
          const std::vector<bool>& has_permit, const WindowRules& rules)
      : trace_(trace),
        links_(links),
        first_(first),
        last_(last),
        has_permit_(has_permit),
        rules_(rules),
        solver_(context_, z3::solver::simple()) {
    z3::params params(context_);
    params.set("timeout", rules.query_milliseconds);
    if (rules.query_work != 0) params.set("rlimit", rules.query_work);
    // Only differences are compared, so Bellman and Ford's solver will do: ten times as fast here as the strategy that
    // Z3 chooses for the logic QF_IDL.
    params.set("arith.solver", 1u);
    solver_.set(params);
    for (EventNumber i = first; i <= last; ++i) {
      in_.push_back(context_.bool_const(("in" + std::to_string(i)).c_str()));
      at_.push_back(context_.int_const(("at" + std::to_string(i)).c_str()));
      sort_in(i);
    }
    for (EventNumber i = first; i <= last; ++i) {
      add_thread_order(i);
      add_source(i);
    }
    for (const auto& [lock, sections] : sections_) add_sections(sections);
  }

  Answer can_meet(EventNumber a, EventNumber b) {
    z3::expr_vector assumptions(context_);
    for (const EventNumber e : {a, b}) {
      assumptions.push_back(!in(e));
      if (is_inside(links_.previous[e])) assumptions.push_back(in(links_.previous[e]));
    }
    return answer_of(solver_.check(assumptions));
  }
  Answer can_arrange(std::span<const EventNumber> events) {
    for (std::size_t k = 0; k < events.size(); ++k) {
      solver_.add(in(events[k]));
      if (k != 0) solver_.add(at(events[k - 1]) < at(events[k]));
    }
    return answer_of(solver_.check());
  }
  // The reordering of the last answer, if that was yes.
  std::vector<EventNumber> order() {
    const z3::model model = solver_.get_model();
    std::vector<std::pair<std::int64_t, EventNumber>> places;
    for (EventNumber i = first_; i <= last_; ++i) {
      if (model.eval(in(i), true).is_true()) places.emplace_back(model.eval(at(i), true).get_numeral_int64(), i);
    }
    std::sort(places.begin(), places.end());
    std::vector<EventNumber> events;
    events.reserve(places.size());
    for (const auto& [place, event] : places) events.push_back(event);
    return events;
  }

 private:
  struct Section {
    EventNumber acquire = 0;  // 0: before the window
    EventNumber release = 0;  // 0: not in the window
    std::uint32_t thread = 0;
    bool shared = false;
  };

  static Answer answer_of(z3::check_result result) {
    switch (result) {
      case z3::sat:
        return Answer::kYes;
      case z3::unsat:
        return Answer::kNo;
      default:
        return Answer::kUnknown;
    }
  }

  const Event& event(EventNumber e) const { return trace_.events[e - 1]; }
  bool is_inside(EventNumber e) const { return first_ <= e && e <= last_; }
  const z3::expr& in(EventNumber e) const { return in_[e - first_]; }
  const z3::expr& at(EventNumber e) const { return at_[e - first_]; }
  z3::expr truth(bool value) { return context_.bool_val(value); }
  z3::expr is_before(EventNumber a, EventNumber b) const { return in(a) && at(a) < at(b); }

  void sort_in(EventNumber i) {
    const Event& e = event(i);
    switch (e.kind) {
      case EventKind::kWrite:
        writes_[e.object].push_back(i);
        return;
      case EventKind::kVolatileWrite:
      case EventKind::kVolatileUpdate:
        volatile_writes_[e.object].push_back(i);
        return;
      case EventKind::kUnpark:
        unparks_[e.object].push_back(i);
        return;
      case EventKind::kPark:
        parks_[e.object].push_back(i);
        return;
      default:
        break;
    }
    const EventNumber partner = is_inside(links_.partner[i]) ? links_.partner[i] : 0;
    if (is_acquire(e) || (is_release(e) && partner == 0)) {
      const bool is_end = is_release(e);
      sections_[e.object].push_back({is_end ? 0 : i, is_end ? i : partner, to_number(e.thread), is_shared_lock(e)});
    }
  }

  void add_thread_order(EventNumber i) {
    const EventNumber previous = links_.previous[i];
    if (!is_inside(previous)) return;
    solver_.add(z3::implies(in(i), in(previous)));
    // Events outside of the reordering have no place to keep; giving them one behind it does no harm.
    solver_.add(at(previous) < at(i));
  }

  void add_source(EventNumber i) {
    const Event& e = event(i);
    switch (e.kind) {
      case EventKind::kRead:
        add_value_of_read(i);
        return;
      case EventKind::kVolatileRead:
      case EventKind::kVolatileUpdate:
        return add_value(i, i, volatile_writes_[e.object]);
      case EventKind::kWaitEnd:
        return add_need(i, links_.source[i]);
      case EventKind::kNotify:
        add_need(i, links_.source[i]);
        if (is_lone_notify(e)) add_nobody_waits(i);
        return;
      case EventKind::kJoin:
        return add_need(i, links_.joined[i]);
      case EventKind::kPark:
        if (links_.source[i] != 0) add_permit(i);
        return;
      default:
        return;
    }
  }
  void add_value_of_read(EventNumber i) {
    if (rules_.values == Values::kFree) return;
    const auto& writes = writes_[event(i).object];
    if (std::find(rules_.free.begin(), rules_.free.end(), i) == rules_.free.end()) return add_value(i, i, writes);
    if (const EventNumber next = next_of_thread(i); next != 0) add_value(i, next, writes);
  }
  // 0: none in the window.
  EventNumber next_of_thread(EventNumber i) const {
    for (EventNumber next = i + 1; next <= last_; ++next) {
      if (event(next).thread == event(i).thread) return next;
    }
    return 0;
  }
  void add_need(EventNumber i, EventNumber need) {
    if (is_inside(need)) solver_.add(z3::implies(in(i), is_before(need, i)));
  }
  // The read sees its writer: no other write lies between, or before if the writer is from before the window. That is
  // asked of it if the reordering has the event `wanted_by`.
  void add_value(EventNumber i, EventNumber wanted_by, const std::vector<EventNumber>& writes) {
    const EventNumber source = links_.source[i];
    if (is_inside(source)) solver_.add(z3::implies(in(wanted_by), is_before(source, i)));
    for (const EventNumber w : writes) {
      if (w == source || w == i) continue;
      z3::expr apart = !in(w) || at(w) > at(i);
      if (is_inside(source)) apart = apart || at(w) < at(source);
      solver_.add(z3::implies(in(wanted_by), apart));
    }
  }
  void add_nobody_waits(EventNumber i) {
    for (const TraceLinks::Wait& wait : links_.waits) {
      if (event(wait.begin).object != event(i).object || wait.begin > last_) continue;
      if (wait.notify == 0 && wait.end != 0) continue;  // a time-out, which may come at any time
      if (wait.notify != 0 && wait.notify < first_) continue;
      z3::expr fine = is_inside(wait.begin) ? !in(wait.begin) || at(wait.begin) > at(i) : truth(false);
      if (is_inside(wait.notify)) fine = fine || is_before(wait.notify, i);
      solver_.add(z3::implies(in(i), fine));
    }
  }
  // An unpark, or the permit of the window's begin, that no other park takes before this one.
  void add_permit(EventNumber i) {
    const auto& parks = parks_[event(i).object];
    z3::expr any = truth(false);
    if (has_permit_[event(i).object]) {
      z3::expr is_left = truth(true);
      for (const EventNumber other : parks) {
        if (other != i) is_left = is_left && (!in(other) || at(other) > at(i));
      }
      any = any || is_left;
    }
    for (const EventNumber unpark : unparks_[event(i).object]) {
      z3::expr is_left = is_before(unpark, i);
      for (const EventNumber other : parks) {
        if (other != i) is_left = is_left && (!in(other) || at(other) < at(unpark) || at(other) > at(i));
      }
      any = any || is_left;
    }
    solver_.add(z3::implies(in(i), any));
  }

  void add_sections(const std::vector<Section>& sections) {
    for (std::size_t k = 0; k < sections.size(); ++k) {
      for (std::size_t m = k + 1; m < sections.size(); ++m) {
        const Section& a = sections[k];
        const Section& b = sections[m];
        if (a.thread == b.thread || (a.shared && b.shared)) continue;
        z3::expr both = truth(true);
        if (a.acquire != 0) both = both && in(a.acquire);
        if (b.acquire != 0) both = both && in(b.acquire);
        solver_.add(z3::implies(both, ends_before(a, b) || ends_before(b, a)));
      }
    }
  }
  z3::expr ends_before(const Section& a, const Section& b) {
    return a.release != 0 && b.acquire != 0 ? is_before(a.release, b.acquire) : truth(false);
  }

  const trace::Trace& trace_;
  const TraceLinks& links_;
  const EventNumber first_;
  const EventNumber last_;
  const std::vector<bool>& has_permit_;
  const WindowRules rules_;
  z3::context context_;
  z3::solver solver_;
  std::vector<z3::expr> in_;
  std::vector<z3::expr> at_;
  std::map<std::uint64_t, std::vector<EventNumber>> writes_;
  std::map<std::uint64_t, std::vector<EventNumber>> volatile_writes_;
  std::map<std::uint64_t, std::vector<EventNumber>> unparks_;
  std::map<std::uint64_t, std::vector<EventNumber>> parks_;
  std::map<std::uint64_t, std::vector<Section>> sections_;
};

ExactWindow::ExactWindow(const trace::Trace& trace, const TraceLinks& links, EventNumber first, EventNumber last,
                         const std::vector<bool>& has_permit, const WindowRules& rules)
    : formula_(std::make_unique<Formula>(trace, links, first, last, has_permit, rules)) {}

ExactWindow::~ExactWindow() = default;

Answer ExactWindow::can_meet(EventNumber a, EventNumber b) {
  answer_ = Answer::kUnknown;
  try {
    answer_ = formula_->can_meet(a, b);
  } catch (const z3::exception&) {  // out of memory or of patience: no answer
  }
  return answer_;
}

std::optional<std::vector<EventNumber>> ExactWindow::meet(EventNumber a, EventNumber b) {
  if (can_meet(a, b) != Answer::kYes) return std::nullopt;
  return order();
}

std::optional<std::vector<EventNumber>> ExactWindow::arrange(std::span<const EventNumber> events) {
  answer_ = Answer::kUnknown;
  try {
    answer_ = formula_->can_arrange(events);
  } catch (const z3::exception&) {
  }
  if (answer_ != Answer::kYes) return std::nullopt;
  return order();
}

std::optional<std::vector<EventNumber>> ExactWindow::order() {
  try {
    return formula_->order();
  } catch (const z3::exception&) {
    answer_ = Answer::kUnknown;
    return std::nullopt;
  }
}

}  // namespace deadheat::predict
