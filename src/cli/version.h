// SPDX-License-Identifier: Apache-2.0
//
// The version of the program, from CMakeLists.txt.
#pragma once

namespace deadheat::cli {

inline constexpr const char* kVersion = DH_VERSION;

}  // namespace deadheat::cli
