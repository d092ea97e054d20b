// SPDX-License-Identifier: Apache-2.0
//
// What the type of a lock is called in may-trigger relations: the class of the lock object, as in the paper. Two
// exceptions, where the class says nothing of what the lock is for. A class object is named by the class it stands for.
// A plain Object, an array, a string, a box and a lock of java.util.concurrent are named with the top-level class
// whose code asks for them: such locks are nearly always private. Both views of a read-write lock have its name.
#pragma once

#include <string>
#include <string_view>

namespace deadheat::agent {

// `class_name`: of the lock, or with `is_class` the class it stands for, as people write it. `asking`: the class with
// the request, internal.
std::string lock_type_name(std::string_view class_name, bool is_class, std::string_view asking);

}  // namespace deadheat::agent
