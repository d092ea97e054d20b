// SPDX-License-Identifier: Apache-2.0
//
// Settings of the VM that suit rewritten code better than its defaults, made while the agent is loaded: the options
// are read by then, and no compiler has started. A setting that the user has made himself stays, and a VM that does not
// know one of them, or does not say where it is, goes on with its own.
//
// They are found in the tables that HotSpot exports for its serviceability agent (gHotSpotVMStructs), which name each
// flag, where its value is and who set it. An option on the command line would do too, but a VM that does not know an
// option refuses to start.
#pragma once

namespace deadheat::agent {

// Sets what docs/performance.md ("Less inlining") tells of. `vm_function`: any function of the VM, to find its library.
void suit_compiler_to_hooks(const void* vm_function);

}  // namespace deadheat::agent
