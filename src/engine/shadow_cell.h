// SPDX-License-Identifier: Apache-2.0
//
// A variable's two words in native memory, and the access protocol of access.h over them. For front ends whose shadow
// is not inside managed objects (array shadow, C and C++), and for tests with real threads.
#pragma once

#include <atomic>

#include "engine/access.h"

namespace deadheat::engine {

struct ShadowCell {
  std::atomic<ShadowWord> w{kNeverAccessed};
  std::atomic<ShadowWord> r{kNeverAccessed};
};
static_assert(sizeof(ShadowCell) == 16);

// Returns the number of ts.conflicts filled. Of two concurrent conflicting accesses at least one gets a conflict.
std::uint32_t check_read(ThreadState& ts, ShadowCell& cell, model::SiteId site);
std::uint32_t check_write(ThreadState& ts, ShadowCell& cell, model::SiteId site);

}  // namespace deadheat::engine
