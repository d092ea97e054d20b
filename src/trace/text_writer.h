// SPDX-License-Identifier: Apache-2.0
//
// Writes events as deadheat's own dialect of the text format (docs/trace-format.md); a trace that holds public
// operations only comes out in the public dialect. What was read from a text is written back as it was. Names from
// elsewhere that hold spaces, '|' or control characters get percent signs and hex digits in their place, and never the
// name of something else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/operation.h"
#include "trace/trace.h"

namespace deadheat::trace {

class TextWriter {
 public:
  // The trace outlives the writer and keeps its names.
  explicit TextWriter(const Trace& trace);

  // Appends one line.
  void append(const model::Event& event, std::string& text) const;

 private:
  // Names that cannot be written as they are, sorted by number; nearly always empty.
  struct Replaced {
    std::uint32_t number;
    std::string text;
  };
  static std::vector<Replaced> replace_unwritable(const Names& names, bool commas);
  static void put(const Names& names, const std::vector<Replaced>& replaced, std::uint64_t number, std::string& text);
  const std::vector<Replaced>& replaced_of(ObjectOf object) const;

  const Trace& trace_;
  std::vector<Replaced> threads_;
  std::vector<Replaced> variables_;
  std::vector<Replaced> syncs_;
  std::vector<Replaced> sites_;
  std::vector<Replaced> regions_;
};

// All events of a trace that is small enough for it.
std::string text_of(const Trace& trace);

}  // namespace deadheat::trace
