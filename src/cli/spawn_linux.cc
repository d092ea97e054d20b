// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/spawn.h"

namespace deadheat::cli {
namespace {

std::vector<char*> c_strings(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Our own environment with some variables set.
std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> settings;
  settings.reserve(changes.size());
  for (const auto& [name, value] : changes) settings.push_back(name + '=' + value);
  for (char** own = environ; *own != nullptr; ++own) {
    const std::string_view setting(*own);
    const std::string_view name = setting.substr(0, setting.find('='));
    const bool changed =
        std::any_of(changes.begin(), changes.end(), [name](const auto& change) { return change.first == name; });
    if (!changed) settings.emplace_back(setting);
  }
  return settings;
}

// The attributes and file actions of one posix_spawn.
class SpawnSettings {
 public:
  SpawnSettings(const sigset_t& mask, const std::optional<Redirection>& files) {
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawnattr_setflags(&attributes,
                             static_cast<short>(POSIX_SPAWN_SETSIGMASK | (files ? POSIX_SPAWN_SETPGROUP : 0)));
    if (!files) return;
    constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, files->output.c_str(), kWrite, 0666);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, files->errors.c_str(), kWrite, 0666);
  }
  ~SpawnSettings() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
};

}  // namespace

Result<pid_t> spawn(const LaunchPlan& plan, const sigset_t& mask, const Guardian& guardian,
                    const std::optional<Redirection>& files) {
  const SpawnSettings settings(mask, files);
  const std::vector<char*> argv = c_strings(plan.command);
  auto changes = plan.environment;
  changes.emplace_back(Guardian::kVariable, guardian.mark());
  const std::vector<std::string> environment = environment_with(changes);
  const std::vector<char*> envp = c_strings(environment);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], &settings.actions, &settings.attributes, argv.data(), envp.data());
  const std::string& name = plan.command.front();
  // A folder in PATH that we may not search turns "not found" into "permission denied".
  const bool not_found = error == ENOENT || (error == EACCES && name.find('/') == std::string::npos);
  if (not_found) return Error{fmt::format("command not found: '{}'; check the name and PATH", name)};
  if (error != 0) return Error{fmt::format("cannot start '{}': {}", name, std::strerror(error))};
  return pid;
}

ChildExit exit_of(int status) {
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace deadheat::cli
