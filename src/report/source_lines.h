// SPDX-License-Identifier: Apache-2.0
//
// Finds the source line of a frame in the folders the user works in. The folders are listed once, at the first
// question, and only up to a bound, so that a report printed from a huge folder stays quick; what is not found is not
// shown.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/race.h"

namespace deadheat::report {

class SourceLines {
 public:
  explicit SourceLines(std::vector<std::filesystem::path> roots) : roots_(std::move(roots)) {}

  // The file of the frame: the one whose folder fits the package, else the only one of that name, else nothing.
  std::optional<std::filesystem::path> file_of(const Frame& frame);

  // The trimmed text of the frame's line.
  std::optional<std::string> line_of(const Frame& frame);

 private:
  void list_files();

  std::vector<std::filesystem::path> roots_;
  bool listed_ = false;
  std::unordered_map<std::string, std::vector<std::filesystem::path>> by_name_;
  std::unordered_map<std::string, std::vector<std::string>> lines_;  // of the files read so far
};

}  // namespace deadheat::report
