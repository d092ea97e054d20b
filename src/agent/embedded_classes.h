// SPDX-License-Identifier: Apache-2.0
//
// The class files of src/java, which are inside the agent.
#pragma once

#include <cstdint>
#include <span>

namespace deadheat::agent {

struct EmbeddedClass {
  const char* name;
  const std::uint8_t* begin;
  const std::uint8_t* end;
};

// In the order in which they are to be defined.
std::span<const EmbeddedClass> embedded_classes();

}  // namespace deadheat::agent
