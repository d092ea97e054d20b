// SPDX-License-Identifier: Apache-2.0
//
// How threads came to the accesses in shadow words: numbers their ways, asks the VM for the stack when a calling
// context is new at its place, and tells stack and locks of an access from its word. Any attached thread may call.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "agent/context_table.h"
#include "agent/histories.h"
#include "agent/site_table.h"
#include "agent/stack_tree.h"
#include "agent/stack_walker.h"
#include "agent/watch_list.h"
#include "agent/way_table.h"

namespace deadheat::agent {

enum class Kept : std::uint8_t {
  kYes,
  kNoRoom,  // a larger history would have kept it
  kNo,
};

// The previous access of a race, as far as it is known.
struct PreviousAccess {
  Kept kept = Kept::kNo;
  std::optional<std::vector<StackFrame>> stack;  // if kept
  std::optional<std::vector<std::uint64_t>> locks;
};

class AccessHistory {
 public:
  // `most_ways`: 0: there is no history at all. `check`: compare each stack on record with the real one, at every
  // access that is put into a word.
  AccessHistory(std::uint32_t most_ways, bool check, const WatchList& watch_list, const SiteTable& sites,
                StackWalker& walker)
      : most_ways_(most_ways),
        check_(check),
        watch_list_(watch_list),
        sites_(sites),
        walker_(walker),
        ways_(most_ways) {}

  bool enabled() const { return most_ways_ != 0; }
  std::uint32_t most_ways() const { return most_ways_; }

  // On the accessing thread: it has come to `site` by a way that neither it nor the table knows, or without leave to
  // ask for its stack. Returns the number for the shadow word; the twin of DeadheatHistory.way() from there on.
  std::uint32_t way(JNIEnv* jni, ThreadHistory& history, std::uint32_t context, std::uint32_t site);
  // The access of a shadow word.
  PreviousAccess find(engine::ShadowWord word) const;
  // Where it was.
  std::uint32_t site_of(engine::ShadowWord word) const {
    return ways_.site_of(model::to_number(engine::site_of(word)));
  }

  const WayTable& ways() const { return ways_; }
  // The table for the shim. One without any way while stacks are checked: so it asks each time.
  const std::uint64_t* ways_for_shim() const { return check_ ? no_ways_.block() : ways_.block(); }
  const ContextTable& contexts() const { return contexts_; }
  std::uint64_t checked() const { return checked_.load(std::memory_order_relaxed); }
  std::uint64_t mismatches() const { return mismatches_.load(std::memory_order_relaxed); }
  std::uint64_t other_frames() const { return other_frames_.load(std::memory_order_relaxed); }
  bool checks() const { return check_; }

  Histories threads;

 private:
  // Whether the stack of the calling thread, which is in this context, is on record (now).
  bool keep_stack(JNIEnv* jni, std::uint32_t context, std::uint32_t method);
  void check(std::vector<StackFrame> known, std::vector<StackFrame> real);

  const std::uint32_t most_ways_;
  const bool check_;
  const WatchList& watch_list_;
  const SiteTable& sites_;
  StackWalker& walker_;
  ContextTable contexts_;
  WayTable ways_;
  const WayTable no_ways_{0};
  StackTree stacks_;
  std::atomic<std::uint64_t> checked_{0};
  std::atomic<std::uint64_t> mismatches_{0};
  std::atomic<std::uint64_t> other_frames_{0};
};

}  // namespace deadheat::agent
