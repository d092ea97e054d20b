// SPDX-License-Identifier: Apache-2.0
//
// The hooks of the controlled scheduler: every operation that matters between threads is told before it happens.
#pragma once

#include "classfile/plan.h"

namespace deadheat::agent {

// `recording`: the initialisation of classes is told as well.
classfile::Plan make_gate_plan(bool recording);

}  // namespace deadheat::agent
