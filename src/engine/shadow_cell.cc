// SPDX-License-Identifier: Apache-2.0
#include "engine/shadow_cell.h"

namespace deadheat::engine {

std::uint32_t check_read(ThreadState& ts, ShadowCell& cell, model::SiteId site) {
  return check_read(ts, cell.w, cell.r, site);
}

std::uint32_t check_write(ThreadState& ts, ShadowCell& cell, model::SiteId site) {
  return check_write(ts, cell.w, cell.r, site);
}

}  // namespace deadheat::engine
