// SPDX-License-Identifier: Apache-2.0
//
// Some consecutive events of a trace as a formula for Z3: its solutions are the correct reorderings of parts of these
// events, after all that comes before them in the trace. For exact.cc; the only user of Z3.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "predict/world.h"

namespace deadheat::predict {

enum class Answer : std::uint8_t { kYes, kNo, kUnknown };

struct WindowRules {
  std::uint32_t query_milliseconds = 10'000;
  Values values = Values::kKept;
  std::span<const EventNumber> free;  // reads that may see another value, as the last event of their thread
  // How much work a query may be, in Z3's own unit, so that the answer does not depend on how busy the machine is. 0:
  // no limit but the time.
  std::uint32_t query_work = 0;
};

class ExactWindow {
 public:
  // Events first to last. `has_permit`, by synchronisation object: the permit is there when the window begins. All must
  // outlive the window.
  ExactWindow(const trace::Trace& trace, const TraceLinks& links, EventNumber first, EventNumber last,
              const std::vector<bool>& has_permit, const WindowRules& rules);
  ~ExactWindow();

  // Whether some correct reordering has both events next.
  Answer can_meet(EventNumber a, EventNumber b);
  // Such a reordering: the events of the window in their new order, without those two.
  std::optional<std::vector<EventNumber>> meet(EventNumber a, EventNumber b);
  // A reordering that has these events, in this order. The window can be asked for one order only.
  std::optional<std::vector<EventNumber>> arrange(std::span<const EventNumber> events);
  // What came of the last question.
  Answer answer() const { return answer_; }

 private:
  class Formula;
  std::optional<std::vector<EventNumber>> order();
  std::unique_ptr<Formula> formula_;
  Answer answer_ = Answer::kUnknown;
};

}  // namespace deadheat::predict
