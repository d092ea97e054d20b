// SPDX-License-Identifier: Apache-2.0
//
// What is known to be other than it was when a clip was made: told before a replay, and what to do about it after one
// that went another way.
#pragma once

#include <string>
#include <vector>

#include "cli/clip.h"

namespace deadheat::cli {

struct ReplayChanges {
  bool command = false;  // beyond which java it starts
  bool folder = false;   // the working directory
  bool jdk = false;      // as far as its folder tells
  bool classes = false;  // of the class path
};

// Tells the user each of them.
ReplayChanges tell_changes(const Clip& clip, const std::vector<std::string>& command);

// What to do after a replay that was none, in one line: the likeliest of the changes first.
std::string advice(const Clip& clip, const ReplayChanges& changes);

// "17.0.2" of "OpenJDK 64-Bit Server VM 17.0.2+8-Debian"; empty: it has none.
std::string version_number(const std::string& jvm);

// The version in the file `release` of the JDK whose `java` the command starts; empty: not known.
std::string jdk_version(const std::vector<std::string>& command);

}  // namespace deadheat::cli
