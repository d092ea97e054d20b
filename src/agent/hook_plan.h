// SPDX-License-Identifier: Apache-2.0
//
// The instrumentation plan of the agent: which shim methods (src/java) are called where. The only place that knows both
// their names and the JDK's methods with a meaning for happens-before.
#pragma once

#include "classfile/plan.h"

namespace deadheat::agent {

classfile::Plan make_hook_plan();
// What every plan needs that has rules for calls in hidden classes (hidden_classes.h).
void add_hidden_class_rule(classfile::Plan& plan);

}  // namespace deadheat::agent
