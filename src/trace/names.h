// SPDX-License-Identifier: Apache-2.0
//
// The names of one kind of thing in a trace (threads, variables, …): dense numbers from 1 in the order of their first
// use, as model/ids.h wants them. 0 is nothing, and has the empty name.
//
// Made for readers that look up every name of tens of millions of lines: names of up to eight bytes are told apart
// without touching their text, and decimal numbers (most locations) are found by index instead of by hash.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace deadheat::trace {

class Names {
 public:
  Names();
  // A table can be large; it is handed on, not copied.
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;
  Names(Names&&) = default;
  Names& operator=(Names&&) = default;

  // The number of a name, new or not.
  std::uint32_t number(std::string_view name);
  // The number of a name that its giver knows to be new, for names by the million: number() and find() do not know it.
  std::uint32_t add_untold(std::string name);
  // 0: no such name.
  std::uint32_t find(std::string_view name) const;
  // "" for a number that was never given.
  const std::string& text(std::uint64_t number) const { return texts_[number < texts_.size() ? number : 0]; }
  // How many there are; the highest number.
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size() - 1); }

 private:
  // word and length decide for names of up to eight bytes; for longer ones word is a hash and the text decides.
  struct Slot {
    std::uint64_t word = 0;
    std::uint32_t length = 0;
    std::uint32_t number = 0;  // 0: free
  };

  std::uint32_t append(std::string_view name);
  // The slot that holds the name, or the free one where it belongs.
  std::size_t slot_of(std::string_view name, std::uint64_t word) const;
  void grow();

  std::deque<std::string> texts_;
  std::vector<Slot> slots_;              // open addressing; the size is a power of two, at most half full
  std::uint32_t in_slots_ = 0;           // how many names are in slots_; the others are in decimals_
  std::vector<std::uint32_t> decimals_;  // by value; 0: not here
};

}  // namespace deadheat::trace
