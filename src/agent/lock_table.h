// SPDX-License-Identifier: Apache-2.0
//
// What the locks in a thread's history (history_layout.h) are called in reports. Locks of java.util.concurrent with an
// owner are numbered in the order in which they are first taken, so that two of them are told apart. Any thread may
// call.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/site_table.h"

namespace deadheat::agent {

// The lock that a synchroniser of this class (as people write it) is a detail of: the class around it. Nothing if it is
// nobody's lock: a worker of a pool is locked while it runs a task.
std::optional<std::string> lock_of_synchroniser(std::string_view class_name);

class LockTable {
 public:
  explicit LockTable(const SiteTable& sites) : sites_(sites) {}

  // The name in histories for a synchroniser that has none yet.
  std::uint64_t add(std::string_view class_name);
  // "monitor entered at bank.Bank.transfer (Bank.java:17)", "java.util.concurrent.locks.ReentrantLock #2".
  std::string describe(std::uint64_t name) const;

 private:
  const SiteTable& sites_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::uint32_t> counts_;  // by class
  std::vector<std::string> owned_;
};

}  // namespace deadheat::agent
