// SPDX-License-Identifier: Apache-2.0
//
// Some consecutive events of a trace as a formula for Z3: its solutions are the correct reorderings of parts of these
// events, after all that comes before them in the trace. For exact.cc; the only user of Z3.
#pragma once

#include <cstdint>
#include <memory>

#include "predict/links.h"

namespace deadheat::predict {

enum class Answer : std::uint8_t { kYes, kNo, kUnknown };

class ExactWindow {
 public:
  // Events first to last. `has_permit`, by synchronisation object: the permit is there when the window begins. All must
  // outlive the window.
  ExactWindow(const trace::Trace& trace, const TraceLinks& links, EventNumber first, EventNumber last,
              const std::vector<bool>& has_permit, std::uint32_t query_milliseconds);
  ~ExactWindow();

  // Whether some correct reordering has both events next.
  Answer can_meet(EventNumber a, EventNumber b);

 private:
  class Formula;
  std::unique_ptr<Formula> formula_;
};

}  // namespace deadheat::predict
