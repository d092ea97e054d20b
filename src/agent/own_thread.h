// SPDX-License-Identifier: Apache-2.0
//
// Threads of the agent's own.
#pragma once

#include <functional>

namespace deadheat::agent {

// Runs `work` on a new thread that takes none of the host's signals and that nobody joins. False if no thread is to be
// had: std::thread would throw then, which ends the host.
bool start_own_thread(std::function<void()> work);

}  // namespace deadheat::agent
