// SPDX-License-Identifier: Apache-2.0
//
// Hidden classes: lambdas and bound method references, and whatever else programs define through a Lookup. The VM does
// not show them to agents, so they are not watched; but what a lambda has captured is in its final fields, and who runs
// it sees what was done to that before the lambda was made (JLS 17.5, docs/agent.md "Final fields"). Called by the
// thread that defines the class, from DeadheatHidden.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"

namespace deadheat::agent {

// The class with a freeze word, which its constructors write and the reads of its final fields tell. Nothing if it has
// no final fields that matter to others, or cannot be read.
std::optional<std::vector<std::uint8_t>> rewrite_hidden_class(ByteSpan bytes);

}  // namespace deadheat::agent
