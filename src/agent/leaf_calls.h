// SPDX-License-Identifier: Apache-2.0
//
// Calls that lead to no watched code, neither directly nor by calling back (toString, compareTo, a lambda): a calling
// context need not tell them apart, because nothing is ever recorded below them.
#pragma once

#include "classfile/constant_pool.h"

namespace deadheat::agent {

// Whether this is a call of a well-known method of the JDK that ends without running any other class's code.
bool is_leaf_call(const classfile::MemberRef& method);

// Whether it also neither synchronises in any way nor runs a class initialiser that matters: arithmetic, and looks at
// the characters of a string.
bool is_quiet_call(const classfile::MemberRef& method);

}  // namespace deadheat::agent
