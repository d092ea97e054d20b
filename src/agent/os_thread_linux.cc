// SPDX-License-Identifier: Apache-2.0
#include "agent/os_thread_linux.h"

#include <cstdio>
#include <string_view>

namespace deadheat::agent {

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

}  // namespace deadheat::agent
