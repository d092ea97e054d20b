// SPDX-License-Identifier: Apache-2.0
#include "agent/context_table.h"

namespace deadheat::agent {

std::optional<StackId> ContextTable::find(std::uint32_t context, std::uint32_t method) const {
  const std::uint64_t wanted = key(context, method);
  const Shard& part = shard(wanted);
  const std::lock_guard<std::mutex> lock(part.mutex);
  const auto found = part.stacks.find(wanted);
  return found == part.stacks.end() ? std::nullopt : std::optional(found->second);
}

bool ContextTable::affords(std::int64_t now, std::int64_t refused) {
  if (stacks() < budget_.most_stacks && spent() <= budget_.grace_nanoseconds + now / budget_.share) return true;
  refused_.fetch_add(refused, std::memory_order_relaxed);
  return false;
}

void ContextTable::put(std::uint32_t context, std::uint32_t method, StackId stack, std::int64_t nanoseconds) {
  const std::uint64_t wanted = key(context, method);
  auto& part = const_cast<Shard&>(shard(wanted));
  {
    const std::lock_guard<std::mutex> lock(part.mutex);
    if (part.stacks.emplace(wanted, stack).second) stacks_.fetch_add(1, std::memory_order_relaxed);
  }
  spent_.fetch_add(nanoseconds, std::memory_order_relaxed);
}

}  // namespace deadheat::agent
