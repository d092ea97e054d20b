// SPDX-License-Identifier: Apache-2.0
//
// The names of one kind of thing in a trace (threads, variables, …): dense numbers from 1 in the order of their first
// use, as model/ids.h wants them. 0 is nothing, and has the empty name.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace deadheat::trace {

class Names {
 public:
  Names() { texts_.emplace_back(); }
  // The index holds views of the texts.
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;
  Names(Names&&) = default;
  Names& operator=(Names&&) = default;

  // The number of a name, new or not.
  std::uint32_t number(std::string_view name);
  // 0: no such name.
  std::uint32_t find(std::string_view name) const;
  // "" for a number that was never given.
  const std::string& text(std::uint64_t number) const;
  // How many there are; the highest number.
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size() - 1); }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> index_;
};

}  // namespace deadheat::trace
