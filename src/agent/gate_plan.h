// SPDX-License-Identifier: Apache-2.0
//
// The hooks of the controlled scheduler: every operation that matters between threads is told before it happens.
#pragma once

#include "classfile/plan.h"

namespace deadheat::agent {

// What is told beside synchronisation, where the guide gives it a site.
enum class GatedCalls {
  kNone,
  kWanted,    // plain accesses by way of a call: the sites that were asked for may be such
  kRecorded,  // these, methods of locks, and the initialisation of classes
};
classfile::Plan make_gate_plan(GatedCalls calls);

// Only that no switch is offered in class initialisers.
classfile::Plan make_region_plan();

// Has the detector's plan tell the scheduler of monitors: what they need besides make_gate_plan() when both are at work
// (classfile::HookSet).
void add_gated_monitors(classfile::Plan& detector_plan);

}  // namespace deadheat::agent
