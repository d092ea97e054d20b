// SPDX-License-Identifier: Apache-2.0
#include "cli/class_path_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "base/fnv.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

bool is_class_path_option(std::string_view word) {
  return word == "-cp" || word == "-classpath" || word == "--class-path" || word == "-p" || word == "--module-path";
}

// The class path and module path of the words between "java" and the main class.
std::string path_of(const std::vector<std::string>& command) {
  std::string path;
  const auto add = [&](std::string_view part) { path.append(path.empty() ? "" : ":").append(part); };
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    if (is_class_path_option(word) && i + 1 < command.size()) {
      add(command[++i]);
    } else if (word == "-jar" && i + 1 < command.size()) {
      add(command[i + 1]);
      return path;
    } else if (word.starts_with("--class-path=") || word.starts_with("--module-path=")) {
      add(std::string_view(word).substr(word.find('=') + 1));
    } else if (!word.starts_with("-")) {
      break;  // the main class
    }
  }
  if (!path.empty()) return path;
  const char* variable = std::getenv("CLASSPATH");
  return variable == nullptr || *variable == 0 ? "." : variable;
}

void add_file(Fnv64& hash, const fs::path& file, std::string_view name) {
  hash.add(name);
  std::ifstream input(file, std::ios::binary);
  char buffer[65536];
  while (input.read(buffer, sizeof buffer) || input.gcount() > 0) {
    hash.add(std::string_view(buffer, static_cast<std::size_t>(input.gcount())));
  }
}

void add_folder(Fnv64& hash, const fs::path& folder, std::string_view suffix) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    if (at->path().extension() == suffix) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) add_file(hash, file, file.lexically_relative(folder).string());
}

}  // namespace

std::string class_path_hash(const std::vector<std::string>& command) {
  if (command.empty() || fs::path(command.front()).filename() != "java") return {};
  Fnv64 hash;
  std::istringstream entries(path_of(command));
  for (std::string entry; std::getline(entries, entry, ':');) {
    std::error_code error;
    const fs::path path = entry.empty() ? "." : entry;
    if (path.filename() == "*") {
      add_folder(hash, path.parent_path(), ".jar");
    } else if (fs::is_directory(path, error)) {
      add_folder(hash, path, ".class");
    } else if (fs::exists(path, error)) {
      add_file(hash, path, path.filename().string());
    }
  }
  return fmt::format("{:016x}", hash.value());
}

}  // namespace deadheat::cli
