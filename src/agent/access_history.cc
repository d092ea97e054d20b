// SPDX-License-Identifier: Apache-2.0
#include "agent/access_history.h"

#include <algorithm>

#include "agent/class_table.h"
#include "agent/os_thread_linux.h"

namespace deadheat::agent {

namespace {

// While there is no time for stacks a thread asks one time in so many ways that are new to it.
constexpr std::int32_t kPause = 16384;

}  // namespace

// What is remembered for a way may be less than it is: there was no time for its stack, or no room.
std::uint32_t AccessHistory::way(JNIEnv* jni, ThreadHistory& history, std::uint32_t context, std::uint32_t site) {
  HistoryView& view = history.view;
  Way way{.site = site, .context = context, .locks = history.held()};
  if (view.pause != 0) {
    way.context.reset();
  } else if (!keep_stack(jni, context, method_of(sites_.at(site)))) {
    way.context.reset();
    view.pause = kPause;
    history.forget_some();  // else what was refused once would be refused for ever
  }
  const std::uint64_t place = way.context ? way_place(context, site) : kNoContext | site;
  std::uint32_t number = ways_.intern(way, way_hash(place, view.locks_now));
  if (number == 0) {
    history.count_not_kept();
    way.locks.reset();
    number = ways_.intern(way, way_hash(place, kLocksUnknown));
  }
  if (number == 0) number = site;
  if (!check_) history.remember(way_key(way_place(context, site), view.locks_now), number);
  return number;
}

bool AccessHistory::keep_stack(JNIEnv* jni, std::uint32_t context, std::uint32_t method) {
  if (const auto known = contexts_.find(context, method)) {
    if (check_) check(stacks_.frames(*known), walker_.current(jni));
    return true;
  }
  // Processor time: on a busy machine a thread may wait longer than it works.
  if (!contexts_.affords(process_cpu_time(), kPause)) return false;
  const std::int64_t begin = thread_cpu_time();
  const auto stack = stacks_.intern(walker_.current(jni));
  if (stack) contexts_.put(context, method, *stack, thread_cpu_time() - begin);
  return stack.has_value();
}

// Contexts know of calls in the program's watched code only: the frames of other code may differ, and loading a class
// is a call that no instruction makes.
void AccessHistory::check(std::vector<StackFrame> known, std::vector<StackFrame> real) {
  const auto unwatched = [this](const StackFrame& frame) {
    const std::string_view name = walker_.class_of(frame);
    return looks_like_jdk(name) || watch_list_.watch(name, false) != Watch::kFull;
  };
  const bool loading = std::any_of(real.begin(), real.end(), [this](const StackFrame& frame) {
    return walker_.method_of(frame) == "loadClass" && walker_.class_of(frame) == "java/lang/ClassLoader";
  });
  if (loading) return;
  if (!known.empty() && !real.empty())
    known.front().line = real.front().line;  // that of the first access in the method
  if (known != real) other_frames_.fetch_add(1, std::memory_order_relaxed);
  std::erase_if(known, unwatched);
  std::erase_if(real, unwatched);
  checked_.fetch_add(1, std::memory_order_relaxed);
  if (known != real) mismatches_.fetch_add(1, std::memory_order_relaxed);
}

PreviousAccess AccessHistory::find(engine::ShadowWord word) const {
  PreviousAccess previous;
  const std::uint32_t number = model::to_number(engine::site_of(word));
  if (!WayTable::is_way(number)) {
    if (enabled() && ways_.is_full()) previous.kept = Kept::kNoRoom;
    return previous;
  }
  Way way = ways_.at(number);
  previous.locks = std::move(way.locks);
  if (!way.context) return previous;
  const Site& site = sites_.at(way.site);
  const auto stack = contexts_.find(*way.context, method_of(site));
  if (!stack) return previous;
  std::vector<StackFrame> frames = stacks_.frames(*stack);
  // A stack that begins elsewhere is another's (two contexts with one hash).
  if (frames.empty() || walker_.class_of(frames.front()) != site.in->name ||
      walker_.method_of(frames.front()) != site.in->methods[site.method].name) {
    return previous;
  }
  frames.front().line = site.line;
  previous.kept = Kept::kYes;
  previous.stack = std::move(frames);
  return previous;
}

}  // namespace deadheat::agent
