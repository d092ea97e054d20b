// SPDX-License-Identifier: Apache-2.0
#include "agent/lock_table.h"

#include <algorithm>

#include "agent/class_table.h"
#include "agent/history_layout.h"

namespace deadheat::agent {

namespace {

// Beyond so many a lock is called by its class alone: a program may make them by the million.
constexpr std::size_t kMostNumbered = 100'000;

}  // namespace

std::optional<std::string> lock_of_synchroniser(std::string_view class_name) {
  if (class_name == "java.util.concurrent.ThreadPoolExecutor$Worker") return std::nullopt;
  return std::string(class_name.substr(0, class_name.find('$')));
}

std::uint64_t LockTable::add(std::string_view class_name) {
  std::optional<std::string> lock = lock_of_synchroniser(class_name);
  if (!lock) return kLockWithoutName;
  const std::lock_guard<std::mutex> guard(mutex_);
  if (owned_.size() >= kMostNumbered) {
    const auto known = std::find(owned_.begin(), owned_.end(), *lock);
    if (known != owned_.end()) return kOwnedLock | static_cast<std::uint64_t>(known - owned_.begin());
  } else {
    *lock += " #" + std::to_string(++counts_[*lock]);
  }
  owned_.push_back(std::move(*lock));
  return kOwnedLock | (owned_.size() - 1);
}

std::string LockTable::describe(std::uint64_t name) const {
  if (name & kOwnedLock) {
    const std::lock_guard<std::mutex> guard(mutex_);
    return owned_.at(name & ~kOwnedLock);
  }
  if (name == 0 || !sites_.contains(static_cast<std::uint32_t>(name)))
    return "monitor entered in native code or at an unknown place";
  const Site& site = sites_.at(static_cast<std::uint32_t>(name));
  std::string type = site.in->name;
  std::replace(type.begin(), type.end(), '/', '.');
  std::string text = "monitor entered at " + type + "." + site.in->methods[site.method].name;
  if (!site.in->source.empty()) {
    text += " (" + site.in->source + (site.line == 0 ? "" : ":" + std::to_string(site.line)) + ")";
  }
  return text;
}

}  // namespace deadheat::agent
