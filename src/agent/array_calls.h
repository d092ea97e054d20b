// SPDX-License-Identifier: Apache-2.0
//
// Methods of the JDK that access arrays, or all fields, of their caller's: java.util.Arrays, copies from and to
// strings, clone(). Their own code is not watched, so what they access is told at the call.
#pragma once

#include <string>
#include <string_view>

#include "classfile/plan.h"

namespace deadheat::agent {

// The rules for the detector, or for the trace of a recorded run.
void add_array_calls(classfile::Plan& plan);
void add_recorded_array_calls(classfile::Plan& plan);

// Whether a call that has a rule has one of these.
bool is_array_call(const classfile::MemberRef& called);

// Names made for rules live as long as the plan, that is for ever: the library is never unloaded.
std::string_view keep_name(std::string text);

}  // namespace deadheat::agent
