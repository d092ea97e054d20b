// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom when nobody can go on. Called by the scheduler under its lock.
#pragma once

#include "schedule/listener.h"

namespace deadheat::schedule {

Deadlock describe_deadlock(const World& world);

}  // namespace deadheat::schedule
