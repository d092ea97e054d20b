// SPDX-License-Identifier: Apache-2.0
//
// The hooks of the controlled scheduler: every operation that matters between threads is told before it happens.
#pragma once

#include "classfile/plan.h"

namespace deadheat::agent {

// `recording`: the initialisation of classes is told as well.
classfile::Plan make_gate_plan(bool recording);

// Only that no switch is offered in class initialisers.
classfile::Plan make_region_plan();

// Has the detector's plan tell the scheduler of monitors: what they need besides make_gate_plan() when both are at work
// (classfile::HookSet).
void add_gated_monitors(classfile::Plan& detector_plan);

}  // namespace deadheat::agent
