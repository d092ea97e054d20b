// SPDX-License-Identifier: Apache-2.0
//
// What an event is part of, for accesses whose own place says little: whichever AtomicInteger a program uses, its value
// is read in AtomicInteger.get.
#pragma once

#include "predict/analysis.h"

namespace deadheat::predict {

// Where its thread entered the innermost atomic region that has not been left at the event; without such a region,
// where it acquired the lock that it got last of those it holds. 0: neither, or too far back to be looked for.
EventNumber enclosing_unit(const trace::Trace& trace, EventNumber number);

}  // namespace deadheat::predict
