// SPDX-License-Identifier: Apache-2.0
//
// Whether the program is still the one a clip was made of: a hash over the names and bytes of everything on the class
// path of a java command line.
#pragma once

#include <string>
#include <vector>

namespace deadheat::cli {

// Sixteen hexadecimal digits. Empty when the command is no java launcher, so that the class path is not known.
std::string class_path_hash(const std::vector<std::string>& command);

}  // namespace deadheat::cli
