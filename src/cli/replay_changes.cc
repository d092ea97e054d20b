// SPDX-License-Identifier: Apache-2.0
#include "cli/replay_changes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "cli/class_path_hash.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

// Where the program of this name is, links followed.
fs::path program_file(const std::string& name) {
  std::error_code error;
  if (name.find('/') != std::string::npos) return fs::canonical(name, error);
  const char* variable = std::getenv("PATH");
  std::istringstream folders(variable == nullptr ? "" : variable);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::canonical(fs::path(folder) / name, error);
    if (!error && fs::is_regular_file(file, error)) return file;
  }
  return {};
}

}  // namespace

std::string version_number(const std::string& jvm) {
  const std::size_t space = jvm.rfind(' ');
  const std::string last = space == std::string::npos ? jvm : jvm.substr(space + 1);
  return last.substr(0, last.find_first_not_of("0123456789."));
}

std::string jdk_version(const std::vector<std::string>& command) {
  if (command.empty() || fs::path(command.front()).filename() != "java") return {};
  constexpr std::string_view kKey = "JAVA_VERSION=\"";
  std::ifstream release(program_file(command.front()).parent_path().parent_path() / "release");
  for (std::string line; std::getline(release, line);) {
    if (line.starts_with(kKey)) return line.substr(kKey.size(), line.find('"', kKey.size()) - kKey.size());
  }
  return {};
}

ReplayChanges tell_changes(const Clip& clip, const std::vector<std::string>& command) {
  ReplayChanges changes;
  if (command != clip.command) {
    changes.command = !std::equal(command.begin() + (command.empty() ? 0 : 1), command.end(),
                                  clip.command.begin() + (clip.command.empty() ? 0 : 1), clip.command.end());
    fmt::print(stderr, "deadheat: the command is another one; the clip was made of: {}\n",
               fmt::join(clip.command, " "));
  }
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  if (!clip.working_directory.empty() && here != clip.working_directory) {
    changes.folder = true;
    fmt::print(stderr, "deadheat: the clip was made in {} and is replayed in {}: relative paths lead elsewhere\n",
               clip.working_directory, here);
  }
  const std::string then = version_number(clip.jvm), now = jdk_version(command);
  if (!then.empty() && !now.empty() && then != now) {
    changes.jdk = true;
    fmt::print(stderr, "deadheat: the JDK is {}; the clip was made with {}: expect the replay to leave its path\n", now,
               clip.jvm);
  }
  const std::string hash = class_path_hash(command);
  if (!clip.class_path_hash.empty() && hash != clip.class_path_hash) {
    changes.classes = true;
    fmt::print(stderr,
               "deadheat: the classes are not those of the clip (class path hash {} then, {} now): expect the replay "
               "to leave its path\n",
               clip.class_path_hash, hash.empty() ? "not known" : hash);
  }
  return changes;
}

std::string advice(const Clip& clip, const ReplayChanges& changes) {
  // Another program has other classes too, and perhaps another JDK.
  if (changes.command) {
    return fmt::format("this command is not the clip's; 'deadheat replay CLIP' without a command runs that one: {}",
                       fmt::join(clip.command, " "));
  }
  // Other classes in another folder are most often the same ones, not found there.
  const std::string there = fmt::format("replay it where it was made: cd {}", clip.working_directory);
  if (changes.folder && changes.classes) return there;
  if (changes.jdk) return fmt::format("use the same JDK: the clip was made with {}", clip.jvm);
  if (changes.classes) return "the program has changed since: make a new clip with 'deadheat confirm'";
  if (changes.folder) return there;
  return "something the clip does not hold is different: input, files, time, another thread outside of deadheat's "
         "control";
}

}  // namespace deadheat::cli
