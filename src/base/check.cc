// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace deadheat {

void check_failed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "deadheat: internal error at %s:%d: %s\n", file, line, condition);
  std::abort();
}

}  // namespace deadheat
