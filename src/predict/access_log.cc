// SPDX-License-Identifier: Apache-2.0
#include "predict/access_log.h"

#include <algorithm>

namespace deadheat::predict {

using model::EventKind;

void PairCollector::finish() {
  std::sort(result_.pairs.begin(), result_.pairs.end());
  if (dropped_ != 0) result_.given_up.push_back({"pairs beyond the limit", dropped_});
}

void AccessLog::add(const model::Event& access, EventNumber number) {
  auto& threads = variables_[access.object];
  const std::uint32_t thread = to_number(access.thread);
  auto found = std::find_if(threads.begin(), threads.end(), [thread](const OfThread& o) { return o.thread == thread; });
  if (found == threads.end()) {
    threads.push_back({thread, {}, {}});
    found = threads.end() - 1;
  }
  (access.kind == EventKind::kWrite ? found->writes : found->reads).push_back(number);
}

void AccessLog::collect(const model::Event& access, EventNumber number, const std::uint32_t* clock,
                        PairCollector& pairs) const {
  const auto collect_from = [&](const std::vector<EventNumber>& list, EventNumber covered) {
    auto first = std::upper_bound(list.begin(), list.end(), covered);
    for (; first != list.end() && !pairs.is_full(); ++first) pairs.add(*first, number);
    pairs.count_dropped(static_cast<std::uint64_t>(list.end() - first));
  };
  for (const OfThread& other : variables_[access.object]) {
    if (other.thread == to_number(access.thread)) continue;
    collect_from(other.writes, clock[other.thread]);
    if (access.kind == EventKind::kWrite) collect_from(other.reads, clock[other.thread]);
  }
}

std::uint64_t AccessLog::memory_bytes() const {
  std::uint64_t bytes = variables_.capacity() * sizeof(variables_[0]);
  for (const auto& threads : variables_) {
    bytes += threads.capacity() * sizeof(OfThread);
    for (const OfThread& o : threads) bytes += (o.reads.capacity() + o.writes.capacity()) * sizeof(EventNumber);
  }
  return bytes;
}

}  // namespace deadheat::predict
