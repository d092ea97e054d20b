// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "cli/child.h"

namespace deadheat::cli {
namespace {

constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// Blocks the signals we wait for, so that none is lost between the start of the child and the first wait.
class ScopedSignals {
 public:
  ScopedSignals() {
    // With SIGCHLD ignored by our parent the child's status would be lost.
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&waited_);
    sigaddset(&waited_, SIGCHLD);
    for (const int number : kForwarded) sigaddset(&waited_, number);
    sigprocmask(SIG_BLOCK, &waited_, &before_);
  }
  ~ScopedSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  ScopedSignals(const ScopedSignals&) = delete;
  ScopedSignals& operator=(const ScopedSignals&) = delete;

  const sigset_t& waited() const { return waited_; }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t waited_;
  sigset_t before_;
};

std::vector<char*> c_strings(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

Result<pid_t> spawn(const LaunchPlan& plan, const sigset_t& mask) {
  for (const auto& [name, value] : plan.environment) setenv(name.c_str(), value.c_str(), 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &mask);
  const std::vector<char*> argv = c_strings(plan.command);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], nullptr, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  for (const auto& [name, value] : plan.environment) unsetenv(name.c_str());
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

ChildExit wait_and_forward(pid_t child, const sigset_t& waited) {
  for (;;) {
    siginfo_t info;
    const int number = sigwaitinfo(&waited, &info);
    if (number == SIGCHLD) {
      int status = 0;
      if (waitpid(child, &status, WNOHANG) == child) return exit_of(status);
    } else if (number > 0 && info.si_code <= 0) {
      // si_code > 0: sent by the kernel, that is by the terminal, to the child as well.
      kill(child, number);
    }
  }
}

}  // namespace

std::string describe(const ChildExit& exit) {
  if (exit.signal == 0) return fmt::format("exited with status {}", exit.status);
  return fmt::format("was killed by signal {} ({})", exit.signal, strsignal(exit.signal));
}

Result<ChildExit> run_child(const LaunchPlan& plan) {
  const ScopedSignals signals;
  Result<pid_t> child = spawn(plan, signals.before());
  if (!child) return child.error();
  return wait_and_forward(child.value(), signals.waited());
}

bool process_is_running(std::int64_t pid) {
  return pid > 0 && (kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
}

}  // namespace deadheat::cli
