// SPDX-License-Identifier: Apache-2.0
//
// Which hooks `deadheat hunt` puts where (DeadheatHunt.java): before lock requests and behind acquisitions.
#pragma once

#include <string_view>

#include "classfile/plan.h"

namespace deadheat::agent {

// Whether a call of this name and shape may be of a lock of java.util.concurrent: one that can make its caller wait, or
// its release.
bool is_lock_call(std::string_view name, std::string_view descriptor);

// Adds the hooks of the gate to the detector's plan.
void add_lock_gate(classfile::Plan& plan);

// Nothing but lock requests, to learn relations.
classfile::Plan make_relations_plan();

}  // namespace deadheat::agent
