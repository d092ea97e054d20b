// SPDX-License-Identifier: Apache-2.0
//
// What the operating system says of a thread of this process.
#pragma once

namespace deadheat::agent {

// Whether it is asleep. A thread that only waits for a processor is not.
bool is_asleep(int os_thread);

}  // namespace deadheat::agent
