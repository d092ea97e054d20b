// SPDX-License-Identifier: Apache-2.0
//
// A variable of a recorded run without a name: the object above, and which part of it below. Nobody has to look it up
// when it is recorded; its name is made when the trace is read (keyed_variables.h).
#pragma once

#include <cstdint>

#include "model/ids.h"

namespace deadheat::trace {

struct AccessKey {
  std::uint32_t object = 0;  // its number; 0: the part is a static field
  std::uint32_t part = 0;    // the number of a field, or the index of an element
};

// A plain read or write of one variable.
struct Access {
  model::ThreadId thread{};
  model::SiteId site{};
  AccessKey variable;
  bool writes = false;
  bool is_element = false;
};

}  // namespace deadheat::trace
