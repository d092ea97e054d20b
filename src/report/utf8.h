// SPDX-License-Identifier: Apache-2.0
//
// Text of unknown origin made valid UTF-8. Names reach us as the JVM has them, in its own "modified UTF-8" (surrogates
// one by one, NUL as two bytes), and command lines may hold any bytes; JSON knows UTF-8 only.
#pragma once

#include <string>
#include <string_view>

namespace deadheat::report {

// The text with U+FFFD in place of every byte that is not part of a valid character.
std::string valid_utf8(std::string_view text);

}  // namespace deadheat::report
