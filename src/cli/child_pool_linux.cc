// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "cli/child_pool.h"

namespace deadheat::cli {

ChildPool::ChildPool() {
  signal(SIGCHLD, SIG_DFL);  // ignored by our parent, the children's status would be lost
  sigemptyset(&waited_);
  for (const int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&waited_, number);
  sigprocmask(SIG_BLOCK, &waited_, &before_);
}

ChildPool::~ChildPool() {
  for (const Child& child : children_) kill(-child.pid, SIGKILL);
  for (const Child& child : children_) waitpid(child.pid, nullptr, 0);
  // A signal that came twice must not end us while what was found is being told.
  timespec now{0, 0};
  while (sigtimedwait(&waited_, nullptr, &now) > 0) {
  }
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

Status ChildPool::start(std::size_t id, const LaunchPlan& plan, const Redirection& files, std::chrono::seconds limit) {
  Result<pid_t> pid = spawn(plan, before_, guardian_, files);
  if (!pid) return pid.error();
  children_.push_back({id, pid.value(), Clock::now() + limit, false});
  return Ok{};
}

std::optional<ChildPool::Ended> ChildPool::reap() {
  for (auto child = children_.begin(); child != children_.end(); ++child) {
    int status = 0;
    if (waitpid(child->pid, &status, WNOHANG) != child->pid) continue;
    kill(-child->pid, SIGKILL);
    const Ended ended{child->id, exit_of(status), child->killed};
    children_.erase(child);
    return ended;
  }
  return std::nullopt;
}

void ChildPool::kill_late() {
  const Clock::time_point now = Clock::now();
  for (Child& child : children_) {
    if (child.killed || now < child.deadline) continue;
    child.killed = true;
    kill(-child.pid, SIGKILL);
  }
}

std::optional<ChildPool::Ended> ChildPool::wait_briefly() {
  if (interrupted_ != 0 || children_.empty()) return std::nullopt;
  if (auto ended = reap()) return ended;
  kill_late();
  // Only the deadlines need the clock; a child's end is a signal.
  const timespec period{0, 200'000'000};
  const int number = sigtimedwait(&waited_, nullptr, &period);
  if (number > 0 && number != SIGCHLD) interrupted_ = number;
  return interrupted_ == 0 ? reap() : std::nullopt;
}

std::optional<ChildPool::Ended> ChildPool::wait() {
  while (interrupted_ == 0 && !children_.empty()) {
    if (auto ended = wait_briefly()) return ended;
  }
  return std::nullopt;
}

}  // namespace deadheat::cli
