// SPDX-License-Identifier: Apache-2.0
//
// What the operating system says of a thread of this process.
#pragma once

#include <cstdint>

namespace deadheat::agent {

// Whether it is asleep. A thread that only waits for a processor is not.
bool is_asleep(int os_thread);

struct ThreadSample {
  bool asleep = false;
  std::uint64_t cpu_time = 0;  // nanoseconds it has run so far
  bool operator==(const ThreadSample&) const = default;
};

// Two equal samples with `asleep`: the thread has slept all the time between them, however busy the machine is.
ThreadSample sample_thread(int os_thread);

// Nanoseconds that the process, or the calling thread, has run so far.
std::int64_t process_cpu_time();
std::int64_t thread_cpu_time();

}  // namespace deadheat::agent
