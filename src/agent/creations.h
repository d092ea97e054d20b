// SPDX-License-Identifier: Apache-2.0
//
// Where threads come from: at each start the parent's stack is taken and kept in a tree, and the child carries the
// result in a field of its Thread. Threads of one pool share their stack, so a million of them cost one. Programs may
// start threads without end (virtual ones), so the share of time spent here is bounded; what was refused is counted.
// Called on the parent; any attached thread may ask.
#pragma once

#include <jni.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "agent/stack_tree.h"
#include "agent/stack_walker.h"
#include "model/ids.h"

namespace deadheat::agent {

// What the child carries: the parent's number and the stack, which is empty where it was not kept. 0: not known.
enum class Creation : std::uint64_t {};
constexpr Creation make_creation(model::ThreadId parent, StackId stack) {
  return Creation{std::uint64_t{model::to_number(parent)} << 32 | static_cast<std::uint32_t>(stack)};
}
constexpr model::ThreadId parent_of(Creation creation) {
  return model::ThreadId{static_cast<std::uint32_t>(static_cast<std::uint64_t>(creation) >> 32)};
}
constexpr StackId stack_of(Creation creation) { return StackId{static_cast<std::uint32_t>(creation)}; }

class Creations {
 public:
  explicit Creations(StackWalker& walker) : walker_(walker), stacks_(kMostFrames) {}

  // On the thread `parent`, which is about to start another one.
  Creation take(JNIEnv* jni, model::ThreadId parent);
  // Innermost first.
  std::vector<StackFrame> frames(Creation creation) const { return stacks_.frames(stack_of(creation)); }
  std::int64_t spent() const { return spent_.load(std::memory_order_relaxed); }  // nanoseconds
  std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kMostFrames = 1u << 18;
  static constexpr std::int64_t kGraceNanoseconds = 100'000'000;  // always allowed: some ten thousand stacks
  static constexpr int kShare = 50;  // beyond that one part in so many of the time since the start

  StackWalker& walker_;
  StackTree stacks_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> spent_{0};
  std::atomic<std::uint64_t> refused_{0};
};

}  // namespace deadheat::agent
