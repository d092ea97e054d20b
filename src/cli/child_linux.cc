// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "cli/child.h"
#include "cli/spawn.h"

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
  const Guardian guardian;
  Result<pid_t> child = spawn(plan, signals.before(), guardian);
  if (!child) return child.error();
  return wait_and_forward(child.value(), signals.waited());
}

bool process_is_running(std::int64_t pid) {
  return pid > 0 && (kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
}

}  // namespace deadheat::cli
