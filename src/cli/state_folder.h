// SPDX-License-Identifier: Apache-2.0
//
// The folder .deadheat: found upwards from the working directory, as git finds its own. It holds deadheat.db and
// runs/<n>/, one folder for each run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/result.h"

namespace deadheat::cli {

struct RunFolder {
  std::uint32_t number = 0;
  std::filesystem::path path;
};

class StateFolder {
 public:
  // The folder given, else the nearest .deadheat from `start` upwards; fails when there is none.
  static Result<StateFolder> find(const std::optional<std::filesystem::path>& given,
                                  const std::filesystem::path& start);

  // The same, but a missing one is made: where it was given, else in `start`.
  static Result<StateFolder> find_or_create(const std::optional<std::filesystem::path>& given,
                                            const std::filesystem::path& start);

  // Makes the folder of the next run. Two programs that do so at once get different numbers.
  Result<RunFolder> create_run() const;

  // The folder of an earlier run; fails when there is none.
  Result<RunFolder> existing_run(std::uint32_t number) const;

  std::filesystem::path database() const { return path_ / "deadheat.db"; }
  const std::filesystem::path& path() const { return path_; }  // absolute

 private:
  explicit StateFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

}  // namespace deadheat::cli
