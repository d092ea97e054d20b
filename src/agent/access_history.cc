// SPDX-License-Identifier: Apache-2.0
#include "agent/access_history.h"

#include <algorithm>

#include "agent/class_table.h"
#include "agent/os_thread_linux.h"

namespace deadheat::agent {

namespace {

// A call that is refused costs more than the access: while there is no time for stacks a thread asks one time in so
// many.
constexpr std::int32_t kPause = 512;

}  // namespace

std::int32_t AccessHistory::keep_stack(JNIEnv* jni, std::uint32_t context, std::uint32_t site) {
  const std::uint32_t method = method_of(sites_.at(site));
  if (const auto known = contexts_.find(context, method)) {
    if (check_) check(stacks_.frames(*known), walker_.current(jni));
    return note_asked(context, method);
  }
  // Processor time: on a busy machine a thread may wait longer than it works.
  if (!contexts_.affords(process_cpu_time(), kPause)) return kPause;
  const std::int64_t begin = thread_cpu_time();
  const auto stack = stacks_.intern(walker_.current(jni));
  if (stack) contexts_.put(context, method, *stack, thread_cpu_time() - begin);
  return note_asked(context, method);
}

std::int32_t AccessHistory::note_asked(std::uint32_t context, std::uint32_t method) {
  if (check_) return 1;  // to be asked, and checked, the next time too
  asked_.note(context, method);
  return 0;
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

PreviousAccess AccessHistory::find(model::ThreadId thread, std::uint64_t word) const {
  PreviousAccess previous;
  PastAccess past;
  previous.lookup = threads.find(thread, word, past);
  if (previous.lookup != Lookup::kFound) return previous;
  previous.contexts = past.contexts;
  previous.locks = std::move(past.locks);
  const auto number = static_cast<std::uint32_t>(engine::site_of(engine::ShadowWord{word}));
  const Site& site = sites_.at(number);
  const auto stack = contexts_.find(past.context, method_of(site));
  if (!stack) return previous;
  std::vector<StackFrame> frames = stacks_.frames(*stack);
  // A stack that begins elsewhere is another's (two contexts with one hash).
  if (frames.empty() || walker_.class_of(frames.front()) != site.in->name ||
      walker_.method_of(frames.front()) != site.in->methods[site.method].name) {
    return previous;
  }
  frames.front().line = site.line;
  previous.stack = std::move(frames);
  return previous;
}

}  // namespace deadheat::agent
