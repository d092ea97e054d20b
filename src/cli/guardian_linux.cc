// SPDX-License-Identifier: Apache-2.0
#include "cli/guardian.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace deadheat::cli {
namespace {

constexpr timespec kBetweenRounds{0, 10'000'000};
constexpr int kRounds = 500;  // against a program that forks faster than we look

bool carries(pid_t pid, const std::string& setting) {
  std::ifstream file(fmt::format("/proc/{}/environ", pid), std::ios::binary);
  // Each setting ends with a zero byte; one in front makes the first like the others.
  std::string environment(1, '\0');
  environment.append((std::istreambuf_iterator<char>(file)), {});
  // A deadheat below us has put its own mark behind ours.
  const std::size_t found = environment.find('\0' + setting);
  if (found == std::string::npos) return false;
  const std::size_t end = found + 1 + setting.size();
  return end < environment.size() && (environment[end] == '\0' || environment[end] == ':');
}

// Kills all that carry the mark and live; false when there was none.
bool kill_marked(const std::string& setting) {
  bool any = false;
  DIR* processes = opendir("/proc");
  if (processes == nullptr) return false;
  while (const dirent* entry = readdir(processes)) {
    const auto pid = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (pid > 1 && pid != getpid() && carries(pid, setting) && kill(pid, SIGKILL) == 0) any = true;
  }
  closedir(processes);
  return any;
}

// Whoever ends deadheat's process group, its terminal or all processes of its name does not end this one.
void leave_our_parent(int keep) {
  setsid();
  prctl(PR_SET_NAME, "dh-guardian");
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  if (chdir("/") != 0) _exit(0);
  const int null = open("/dev/null", O_RDWR);
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) dup2(null, stream);
  const auto limit = static_cast<int>(sysconf(_SC_OPEN_MAX));
  for (int file = STDERR_FILENO + 1; file < limit; ++file) {
    if (file != keep) close(file);
  }
}

[[noreturn]] void guard(int their_end, const std::string& setting) {
  leave_our_parent(their_end);
  char byte = 0;
  ssize_t got = 0;
  do {
    got = read(their_end, &byte, 1);
  } while (got < 0 && errno == EINTR);
  for (int round = 0; round < kRounds && kill_marked(setting); ++round) nanosleep(&kBetweenRounds, nullptr);
  _exit(0);
}

}  // namespace

Guardian::Guardian() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  const char* outer = std::getenv(kVariable);
  mark_ = fmt::format("{}{}{}-{}.{:09}", outer == nullptr ? "" : outer, outer == nullptr ? "" : ":", getpid(),
                      now.tv_sec, now.tv_nsec);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  process_ = fork();
  if (process_ == 0) {
    close(ends[1]);
    guard(ends[0], fmt::format("{}={}", kVariable, mark_));
  }
  close(ends[0]);
  our_end_ = ends[1];
}

Guardian::~Guardian() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  if (our_end_ >= 0) close(our_end_);
}

}  // namespace deadheat::cli
