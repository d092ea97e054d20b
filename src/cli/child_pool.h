// SPDX-License-Identifier: Apache-2.0
//
// Several commands side by side, their output in files. Each leads a process group of its own, which is killed when its
// time is over, when the command has ended (a try leaves nothing running behind) and when the pool goes. One pool at a
// time, on the main thread of a program that has no other thread.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <vector>

#include "base/result.h"
#include "cli/child.h"
#include "cli/spawn.h"

namespace deadheat::cli {

class ChildPool {
 public:
  ChildPool();
  ~ChildPool();
  ChildPool(const ChildPool&) = delete;
  ChildPool& operator=(const ChildPool&) = delete;

  // `id` is the caller's name for it. After `limit` it is killed.
  Status start(std::size_t id, const LaunchPlan& plan, const Redirection& files, std::chrono::seconds limit);

  struct Ended {
    std::size_t id = 0;
    ChildExit exit;
    bool killed = false;  // by us, for lack of time
  };
  // Waits for the next one to end. Nothing: the user wants to stop (SIGINT, SIGTERM, SIGHUP), or none is running.
  std::optional<Ended> wait();
  // The same for at most a fifth of a second. Nothing: that is over, or as above.
  std::optional<Ended> wait_briefly();

  std::size_t running() const { return children_.size(); }
  bool interrupted() const { return interrupted_ != 0; }
  int interrupting_signal() const { return interrupted_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Child {
    std::size_t id;
    pid_t pid;
    Clock::time_point deadline;
    bool killed;
  };
  std::optional<Ended> reap();
  void kill_late();

  const Guardian guardian_;
  std::vector<Child> children_;
  int interrupted_ = 0;  // the signal
  sigset_t waited_;
  sigset_t before_;
};

}  // namespace deadheat::cli
