// SPDX-License-Identifier: Apache-2.0
//
// From the words of the command line to Options. Everything after "--" is the command and is never looked at.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/options.h"

namespace deadheat::cli {

// The user asked for a text (--help, --version) instead of work.
struct TextWanted {
  std::string text;
};

// `words` without the program's name. An error is a wrong command line (exit status 2) and names the nearest verb or
// option when a word was mistyped.
Result<std::variant<Options, TextWanted>> parse_command_line(const std::vector<std::string>& words);

std::string program_help();
std::string version_text();

}  // namespace deadheat::cli
