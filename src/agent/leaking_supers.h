// SPDX-License-Identifier: Apache-2.0
//
// Whether super(…) may let the object out that a constructor is making (classfile/open_finals.h), as far as can be told
// when its class is rewritten. The superclass is often not loaded by then, and its first subclass gets an answer on the
// safe side.
#pragma once

#include <string_view>

#include "agent/class_table.h"

namespace deadheat::agent {

// Of a class that is about to be registered with this superclass and loader. The JDK's constructors are taken to keep
// what they make. Any thread.
bool super_may_leak(std::string_view super, LoaderId loader, const ClassTable& classes);

}  // namespace deadheat::agent
