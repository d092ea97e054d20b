// SPDX-License-Identifier: Apache-2.0
#include "report/source_lines.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>

namespace deadheat::report {
namespace {

namespace fs = std::filesystem;

// About one second of listing on a cold disk.
constexpr std::size_t kMaxEntries = 100'000;
constexpr std::array<std::string_view, 5> kExtensions = {".java", ".kt", ".scala", ".groovy", ".clj"};

bool is_source(const fs::path& path) {
  const std::string extension = path.extension().string();
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

// a/b for class a.b.C; empty for the unnamed package.
std::string package_folder(const std::string& class_name) {
  const std::size_t dot = class_name.rfind('.');
  std::string folder = dot == std::string::npos ? std::string() : class_name.substr(0, dot);
  std::replace(folder.begin(), folder.end(), '.', '/');
  return folder;
}

bool folder_fits(const fs::path& file, const std::string& package) {
  const std::string folder = file.parent_path().generic_string();
  if (!folder.ends_with(package)) return false;
  return folder.size() == package.size() || folder[folder.size() - package.size() - 1] == '/';
}

std::vector<std::string> read_lines(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream input(file);
  for (std::string line; std::getline(input, line);) lines.push_back(std::move(line));
  return lines;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

void SourceLines::list_files() {
  listed_ = true;
  std::size_t entries = 0;
  for (const fs::path& root : roots_) {
    std::error_code error;
    fs::recursive_directory_iterator walk(root, fs::directory_options::skip_permission_denied, error);
    for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
      if (++entries > kMaxEntries) return;
      const fs::path& path = walk->path();
      const std::string name = path.filename().string();
      std::error_code ignored;
      if (name.starts_with(".") && walk->is_directory(ignored)) walk.disable_recursion_pending();
      if (is_source(path)) by_name_[name].push_back(path);
    }
  }
}

std::optional<fs::path> SourceLines::file_of(const Frame& frame) {
  if (frame.file.empty()) return std::nullopt;
  if (!listed_) list_files();
  auto named = by_name_.find(frame.file);
  if (named == by_name_.end()) return std::nullopt;
  const std::vector<fs::path>& candidates = named->second;
  const std::string package = package_folder(frame.class_name);
  if (!package.empty()) {
    auto fitting = std::find_if(candidates.begin(), candidates.end(),
                                [&](const fs::path& file) { return folder_fits(file, package); });
    if (fitting != candidates.end()) return *fitting;
  }
  // A JDK file of the same name as one of the user's would show the wrong text.
  if (candidates.size() != 1 || is_jdk_class(frame.class_name)) return std::nullopt;
  return candidates.front();
}

std::optional<std::string> SourceLines::line_of(const Frame& frame) {
  std::optional<fs::path> file = file_of(frame);
  if (!file || frame.line <= 0) return std::nullopt;
  auto [entry, fresh] = lines_.try_emplace(file->string());
  if (fresh) entry->second = read_lines(*file);
  const std::vector<std::string>& lines = entry->second;
  if (static_cast<std::size_t>(frame.line) > lines.size()) return std::nullopt;
  return trimmed(lines[frame.line - 1]);
}

}  // namespace deadheat::report
