// SPDX-License-Identifier: Apache-2.0
#include "trace/names.h"

namespace deadheat::trace {

std::uint32_t Names::number(std::string_view name) {
  if (name.empty()) return 0;
  if (const std::uint32_t known = find(name)) return known;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  index_.emplace(texts_.emplace_back(name), number);
  return number;
}

std::uint32_t Names::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? 0 : found->second;
}

const std::string& Names::text(std::uint64_t number) const { return texts_[number < texts_.size() ? number : 0]; }

}  // namespace deadheat::trace
