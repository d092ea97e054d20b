// SPDX-License-Identifier: Apache-2.0
#include "cli/state_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <system_error>

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = ".deadheat";

std::optional<fs::path> find_upwards(const fs::path& start) {
  std::error_code error;
  for (fs::path folder = start;; folder = folder.parent_path()) {
    if (fs::is_directory(folder / kName, error)) return folder / kName;
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

Error cannot_make(const fs::path& path, const std::error_code& error) {
  return Error{fmt::format("cannot make the folder {}: {}; choose another place with --state DIR", path.string(),
                           error.message())};
}

Status make_state_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  // create_directories() is silent when a file of that name is in the way.
  if (!error && !fs::is_directory(path, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) return cannot_make(path, error);
  return Ok{};
}

// The highest run number there is. Other names are not ours (the agent attached by hand makes some).
std::uint32_t last_run(const fs::path& runs) {
  std::uint32_t last = 0;
  std::error_code error;
  for (fs::directory_iterator entry(runs, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::uint32_t number = 0;
    const auto [end, parse_error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (parse_error == std::errc() && end == name.data() + name.size()) last = std::max(last, number);
  }
  return last;
}

}  // namespace

Result<StateFolder> StateFolder::find(const std::optional<fs::path>& given, const fs::path& start) {
  std::error_code error;
  if (given) {
    if (fs::is_directory(*given, error)) return StateFolder(fs::absolute(*given));
    return Error{fmt::format("there is no folder {}", given->string())};
  }
  if (auto found = find_upwards(fs::absolute(start))) return StateFolder(*found);
  return Error{"no .deadheat folder here or above: run 'deadheat run -- command…' first, or name one with --state DIR"};
}

Result<StateFolder> StateFolder::find_or_create(const std::optional<fs::path>& given, const fs::path& start) {
  const fs::path absolute_start = fs::absolute(start);
  const std::optional<fs::path> found = given ? fs::absolute(*given) : find_upwards(absolute_start);
  const fs::path path = found.value_or(absolute_start / kName);
  std::error_code error;
  const bool fresh = !fs::exists(path, error);
  if (Status made = make_state_folder(path / "runs"); !made) return made.error();
  // What a tool leaves behind must not end up in the user's commits.
  if (fresh && path.filename() == kName) std::ofstream(path / ".gitignore") << "*\n";
  return StateFolder(path);
}

Result<RunFolder> StateFolder::create_run() const {
  const fs::path runs = path_ / "runs";
  for (std::uint32_t number = last_run(runs) + 1;; ++number) {
    const fs::path path = runs / fmt::format("{}", number);
    std::error_code error;
    // False without an error: another program was quicker.
    if (fs::create_directory(path, error)) return RunFolder{number, path};
    if (error) return cannot_make(path, error);
  }
}

Result<RunFolder> StateFolder::existing_run(std::uint32_t number) const {
  const fs::path path = path_ / "runs" / fmt::format("{}", number);
  std::error_code error;
  if (fs::is_directory(path, error)) return RunFolder{number, path};
  return Error{
      fmt::format("there is no run {} in {}; the last one is {}", number, path_.string(), last_run(path_ / "runs"))};
}

}  // namespace deadheat::cli
