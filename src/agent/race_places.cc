// SPDX-License-Identifier: Apache-2.0
#include "agent/race_places.h"

#include <algorithm>

#include "agent/os_thread_linux.h"
#include "agent/watch_list.h"
#include "base/json_writer.h"

namespace deadheat::agent {

// Not the thread pools of Scala, whose own races have nothing to do with who called.
bool comes_with_language(std::string_view class_name) {
  return looks_like_jdk(class_name) || class_name.starts_with("javax/") || class_name.starts_with("kotlin/") ||
         (class_name.starts_with("scala/") && !class_name.starts_with("scala/concurrent/"));
}

void RacePlaces::came(JNIEnv* jni, const std::string& race, std::uint64_t count) {
  if (count > kAlways && count % kAlways != 0) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (places_[race].size() >= kMost) return;
  }
  if (spent_.load(std::memory_order_relaxed) > kGrace + process_cpu_time() / kShare) return;
  const std::int64_t begin = thread_cpu_time();
  const std::vector<StackFrame> stack = stacks_.current(jni);
  spent_.fetch_add(thread_cpu_time() - begin, std::memory_order_relaxed);
  const auto place = std::find_if(stack.begin(), stack.end(), [&](const StackFrame& frame) {
    return !comes_with_language(stacks_.class_of(frame));
  });
  if (place == stack.end()) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<StackFrame>& known = places_[race];
  if (std::find(known.begin(), known.end(), *place) == known.end()) known.push_back(*place);
}

void RacePlaces::write(JsonWriter& json) {
  const std::lock_guard<std::mutex> lock(mutex_);
  json.begin_object();
  for (const auto& [race, places] : places_) {
    json.key(race);
    stacks_.write(json, places);
  }
  json.end_object();
}

}  // namespace deadheat::agent
