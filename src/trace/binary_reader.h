// SPDX-License-Identifier: Apache-2.0
//
// Reads the binary format. Untrusted input: bounds-checked, memory bounded by what is really there. A file that ends in
// the middle of a chunk (killed process, full disk) loses that chunk, and a note says so; damage before the end is a
// problem. Fed block by block, as the text reader is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "trace/foresight.h"
#include "trace/keyed_variables.h"
#include "trace/problem.h"
#include "trace/trace.h"

namespace deadheat::trace {

class BinaryReader {
 public:
  // All outlive the reader.
  BinaryReader(Trace& trace, Problems& problems, std::vector<std::string>& notes)
      : trace_(trace), problems_(problems), notes_(notes) {}

  void feed(std::string_view block);
  void finish();

 private:
  // How many bytes the front of pending_ needs before it can be read; 0: enough is there, and it was.
  std::size_t take_one();
  bool take_chunk(ByteSpan header, ByteSpan packed);
  bool read_events(ByteSpan content);
  void read_names(ByteReader& in);
  // `most`: so many events may follow in the chunk.
  bool read_event(ByteReader& in, std::uint64_t most, std::uint64_t (&last_object)[5]);
  bool read_access(ByteReader& in, std::uint8_t head, std::uint32_t thread, std::uint64_t most);
  void refuse(std::string message);

  Trace& trace_;
  Problems& problems_;
  std::vector<std::string>& notes_;
  std::string pending_;  // what was fed and not yet read
  bool header_read_ = false;
  bool ended_ = false;   // the end chunk was read
  bool failed_ = false;  // nothing more is read
  std::string damaged_;  // why the last chunk could not be read: a torn tail if nothing follows it
  std::uint64_t chunks_ = 0;
  std::uint32_t version_ = 0;
  KeyedVariables keyed_;
  // What the numbers of the next event are told relative to.
  std::uint32_t last_thread_ = 0;
  Foresight foresight_;
};

}  // namespace deadheat::trace
