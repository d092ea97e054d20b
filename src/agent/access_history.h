// SPDX-License-Identifier: Apache-2.0
//
// The stacks behind the histories of all threads: asks the VM for a stack when a calling context is new at its place,
// and tells the stack of an access that is in some thread's history. Any attached thread may call.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "agent/asked_stacks.h"
#include "agent/context_table.h"
#include "agent/histories.h"
#include "agent/site_table.h"
#include "agent/stack_tree.h"
#include "agent/stack_walker.h"
#include "agent/watch_list.h"

namespace deadheat::agent {

// The previous access of a race, as far as it is known.
struct PreviousAccess {
  Lookup lookup = Lookup::kUnknown;
  std::optional<std::vector<StackFrame>> stack;  // nothing, though found: the stack was not taken (ContextBudget)
  std::uint32_t contexts = 1;                    // different stacks in question; the last one is given
  std::optional<std::vector<std::uint64_t>> locks;
};

class AccessHistory {
 public:
  // `check`: compare each stack on record with the real one, at every access that is recorded.
  AccessHistory(std::uint32_t entries, bool check, const WatchList& watch_list, const SiteTable& sites,
                StackWalker& walker)
      : threads(entries), check_(check), watch_list_(watch_list), sites_(sites), walker_(walker) {}

  // On the accessing thread: it has come to `site` in a context that it does not remember. 0: the stack is on record.
  // Else so many times, this one included, the thread need not ask again (DeadheatHistory.askForStack).
  std::int32_t keep_stack(JNIEnv* jni, std::uint32_t context, std::uint32_t site);
  PreviousAccess find(model::ThreadId thread, std::uint64_t word) const;

  // For the shim.
  const AskedStacks& asked() const { return asked_; }
  const ContextTable& contexts() const { return contexts_; }
  std::size_t stack_nodes() const { return stacks_.size(); }
  std::uint64_t checked() const { return checked_.load(std::memory_order_relaxed); }
  std::uint64_t mismatches() const { return mismatches_.load(std::memory_order_relaxed); }
  std::uint64_t other_frames() const { return other_frames_.load(std::memory_order_relaxed); }
  bool checks() const { return check_; }

  Histories threads;

 private:
  // From now on the shim need not ask for this stack. Returns the answer to keep_stack().
  std::int32_t note_asked(std::uint32_t context, std::uint32_t method);
  void check(std::vector<StackFrame> known, std::vector<StackFrame> real);

  const bool check_;
  const WatchList& watch_list_;
  const SiteTable& sites_;
  StackWalker& walker_;
  ContextTable contexts_;
  AskedStacks asked_;
  StackTree stacks_;
  std::atomic<std::uint64_t> checked_{0};
  std::atomic<std::uint64_t> mismatches_{0};
  std::atomic<std::uint64_t> other_frames_{0};
};

}  // namespace deadheat::agent
