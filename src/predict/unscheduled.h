// SPDX-License-Identifier: Apache-2.0
//
// What threads did where no switch is offered: class loading, initialisers and the like.
#pragma once

#include <vector>

#include "trace/trace.h"

namespace deadheat::predict {

// By event number: whether it is such a one. Locks of the VM's own order those, and are not in the trace; and no
// schedule can ask for them.
std::vector<bool> unscheduled_events(const trace::Trace& trace);

}  // namespace deadheat::predict
