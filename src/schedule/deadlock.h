// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom when nobody can go on. Called by the scheduler under its lock.
#pragma once

#include "schedule/listener.h"

namespace deadheat::schedule {

Deadlock describe_deadlock(const World& world);
// The circle of monitor requests the thread has just closed, which nothing can open again; an empty cycle: there is
// none.
Deadlock closed_circle(const World& world, ThreadIndex thread);

}  // namespace deadheat::schedule
