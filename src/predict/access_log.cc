// SPDX-License-Identifier: Apache-2.0
#include "predict/access_log.h"

#include <algorithm>

namespace deadheat::predict {

using model::EventKind;

void PairCollector::finish() {
  std::sort(result_.pairs.begin(), result_.pairs.end());
  if (cut_short_ != 0) result_.given_up.push_back({"accesses whose pairs are not all listed", cut_short_});
}

AccessLog::AccessLog(const TraceSizes& sizes, bool is_on, std::size_t most_dense)
    : threads_(sizes.threads),
      is_dense_(std::size_t{sizes.variables + 1} * (sizes.threads + 1) <= most_dense),
      chains_(is_on && is_dense_ ? std::size_t{sizes.variables + 1} * (sizes.threads + 1) : 0),
      earlier_(is_on ? sizes.events + 1 : 0) {}

void AccessLog::collect(const model::Event& access, EventNumber number, const std::uint32_t* clock,
                        PairCollector& pairs) const {
  // False: there is no room for more.
  const auto collect_from = [&](EventNumber at, EventNumber covered) {
    for (; at > covered; at = earlier_[at]) {
      if (pairs.is_full()) return false;
      pairs.add(at, number);
    }
    return true;
  };
  for (std::uint32_t thread = 1; thread <= threads_; ++thread) {
    if (thread == to_number(access.thread)) continue;
    const Chain* chain = find(static_cast<std::uint32_t>(access.object), thread);
    if (chain == nullptr) continue;
    const bool has_room = collect_from(chain->last_write, clock[thread]) &&
                          (access.kind == EventKind::kRead || collect_from(chain->last_read, clock[thread]));
    if (!has_room) return pairs.count_cut_short();
  }
}

}  // namespace deadheat::predict
