// SPDX-License-Identifier: Apache-2.0
#include "agent/access_history.h"

#include <algorithm>

#include "agent/class_table.h"

namespace deadheat::agent {

namespace {

// A call that is refused costs more than the access: while there is no time for stacks a thread asks one time in so
// many.
constexpr std::int32_t kPause = 64;

// The number of the method that the site is in.
std::uint32_t method_of(const Site& site) { return site.in->first_method + site.method; }

}  // namespace

std::int32_t AccessHistory::keep_stack(JNIEnv* jni, std::uint32_t context, std::uint32_t site) {
  using std::chrono::duration_cast;
  using std::chrono::nanoseconds;
  const std::uint32_t method = method_of(sites_.at(site));
  if (const auto known = contexts_.find(context, method)) {
    if (!check_) return 0;
    check(stacks_.frames(*known), walker_.current(jni));
    return 1;
  }
  const auto begin = std::chrono::steady_clock::now();
  if (!contexts_.affords(duration_cast<nanoseconds>(begin - start_).count(), kPause)) return kPause;
  const auto stack = stacks_.intern(walker_.current(jni));
  const auto taken = std::chrono::steady_clock::now() - begin;
  if (stack) contexts_.put(context, method, *stack, duration_cast<nanoseconds>(taken).count());
  return 0;
}

// Contexts know of calls in watched code only: the frames of other code may differ, and loading a class is a call that
// no instruction makes.
void AccessHistory::check(std::vector<StackFrame> known, std::vector<StackFrame> real) {
  const auto unwatched = [this](const StackFrame& frame) {
    const std::string_view name = walker_.class_of(frame);
    return watch_list_.watch(name, looks_like_jdk(name)) != Watch::kFull;
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
