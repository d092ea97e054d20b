// SPDX-License-Identifier: Apache-2.0
//
// What the static initialiser of a class runs, as far as the code of the class tells.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "classfile/class_file.h"

namespace deadheat::agent {

// The classes whose constructors and methods the initialiser calls, itself or through other methods of its class.
// Nothing: it cannot be told (a call site that is linked when it runs, code that cannot be read).
std::optional<std::vector<std::string>> used_by_initialiser(const classfile::ClassFile& cls);

}  // namespace deadheat::agent
