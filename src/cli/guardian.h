// SPDX-License-Identifier: Apache-2.0
//
// A process of our own that outlives us: when deadheat is gone without having let it go (SIGKILL, a crash, no memory
// left), everything that deadheat has started is killed too, through launchers and forks, and no JVM is left behind
// whose report nobody will write. It knows them by a mark in their environment, which they pass on: a parent-death
// signal would reach the first process alone, and a process group loses those that make one of their own.
//
// Make one before anything is started, on the main thread of a program that has no other thread.
#pragma once

#include <sys/types.h>

#include <string>

namespace deadheat::cli {

class Guardian {
 public:
  // When there is no process or descriptor left for it, nobody guards: that is no reason not to run.
  Guardian();
  // Lets it go: what is still running stays.
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  static constexpr const char* kVariable = "DEADHEAT_SESSION";
  // The value of that variable for what is started: behind that of a deadheat around us, if there is one.
  const std::string& mark() const { return mark_; }

 private:
  std::string mark_;
  pid_t process_ = -1;
  int our_end_ = -1;  // of a pipe: its other end is at an end when we are
};

}  // namespace deadheat::cli
