// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom when nobody can go on. Called by the scheduler under its lock.
#pragma once

#include <span>
#include <vector>

#include "schedule/listener.h"

namespace deadheat::schedule {

Deadlock describe_deadlock(const World& world);
// A circle of threads that wait for each other, told from the lowest on; empty if there is none. waits_for: by thread,
// kNoThread where that cannot be said.
std::vector<ThreadIndex> cycle_in(std::span<const ThreadIndex> waits_for);
// The circle of monitor requests the thread has just closed, which nothing can open again; an empty cycle: there is
// none.
Deadlock closed_circle(const World& world, ThreadIndex thread);

}  // namespace deadheat::schedule
