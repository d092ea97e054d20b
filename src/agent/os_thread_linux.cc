// SPDX-License-Identifier: Apache-2.0
#include "agent/os_thread_linux.h"

#include <time.h>

#include <cstdio>
#include <string_view>

namespace deadheat::agent {

namespace {

// The CPU clock of one thread by its number (clock_getcpuclockid knows processes only): the kernel's encoding, part of
// its interface (include/linux/posix-timers_types.h: the number inverted, a bit for "thread", 2 for "scheduled time").
clockid_t cpu_clock_of(int os_thread) { return static_cast<clockid_t>((~static_cast<unsigned>(os_thread) << 3) | 6u); }

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

std::int64_t cpu_time_of(clockid_t clock) {
  timespec time{};
  return clock_gettime(clock, &time) == 0 ? nanoseconds(time) : 0;
}

}  // namespace

bool is_asleep(int os_thread) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", os_thread);
  FILE* file = std::fopen(path, "r");
  if (file == nullptr) return false;
  char text[512] = {};
  const std::size_t size = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  // "tid (name) S …": the name may hold anything, so from the back.
  const std::string_view line(text, size);
  const std::size_t name_end = line.rfind(')');
  return name_end != std::string_view::npos && name_end + 2 < line.size() && line[name_end + 2] == 'S';
}

ThreadSample sample_thread(int os_thread) {
  ThreadSample sample;
  timespec time{};
  if (clock_gettime(cpu_clock_of(os_thread), &time) != 0) return sample;
  sample.cpu_time = static_cast<std::uint64_t>(nanoseconds(time));
  sample.asleep = is_asleep(os_thread);
  return sample;
}

std::int64_t process_cpu_time() { return cpu_time_of(CLOCK_PROCESS_CPUTIME_ID); }
std::int64_t thread_cpu_time() { return cpu_time_of(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace deadheat::agent
