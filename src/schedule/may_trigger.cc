// SPDX-License-Identifier: Apache-2.0
#include "schedule/may_trigger.h"

#include <algorithm>

namespace deadheat::schedule {

std::uint32_t MayTrigger::Names::number_of(std::string_view name) {
  const auto [found, added] = numbers.try_emplace(std::string(name), static_cast<std::uint32_t>(names.size()));
  if (added) names.emplace_back(name);
  return found->second;
}

MethodNumber MayTrigger::method(std::string_view name) { return MethodNumber{methods_.number_of(name)}; }

LockType MayTrigger::type(std::string_view name) { return LockType{types_.number_of(name)}; }

std::size_t MayTrigger::learn(std::span<const MethodNumber> stack, LockType type) {
  std::size_t added = 0;
  for (const MethodNumber method : stack.first(std::min<std::size_t>(depth_, stack.size()))) {
    added += relations_.insert(key(method, type)).second ? 1 : 0;
  }
  return added;
}

bool MayTrigger::may_trigger(std::span<const MethodNumber> stack, LockType type) const {
  const auto top = stack.first(std::min<std::size_t>(depth_, stack.size()));
  return std::any_of(top.begin(), top.end(),
                     [&](MethodNumber method) { return relations_.contains(key(method, type)); });
}

std::vector<std::pair<MethodNumber, LockType>> MayTrigger::all() const {
  std::vector<std::pair<MethodNumber, LockType>> list;
  list.reserve(relations_.size());
  for (const std::uint64_t relation : relations_) {
    list.emplace_back(MethodNumber{static_cast<std::uint32_t>(relation >> 32)},
                      LockType{static_cast<std::uint32_t>(relation)});
  }
  return list;
}

std::string MayTrigger::text() const {
  std::string lines;
  for (const auto& [method, type] : all()) lines += name(method) + "\t" + name(type) + "\n";
  return lines;
}

std::size_t MayTrigger::read(std::string_view text) {
  std::size_t bad = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || tab == 0 || tab + 1 == line.size() ||
        line.find('\t', tab + 1) != std::string_view::npos) {
      bad += line.empty() ? 0 : 1;
    } else {
      add(method(line.substr(0, tab)), type(line.substr(tab + 1)));
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return bad;
}

}  // namespace deadheat::schedule
