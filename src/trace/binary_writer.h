// SPDX-License-Identifier: Apache-2.0
//
// Writes a trace in the binary format, chunk by chunk: whatever has been handed out can be read, whatever happens next.
// One writer a file, one thread at a time. Used in the watched process too: no exceptions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace deadheat::trace {

class BinaryWriter {
 public:
  // Names are taken from the tables of this trace as they grow; its events are not looked at. Finished bytes are
  // appended to `out`, from where the caller takes them.
  BinaryWriter(const Trace& names, std::string& out);

  void add(const model::Event& event);
  // Hands out a chunk of what was added since the last; nothing if that is nothing. add() does so by itself when a
  // chunk is full.
  void flush();
  // The trace is complete.
  void finish();

  std::uint64_t events() const { return events_; }

 private:
  // New names, as many as a chunk should hold. False: there are more.
  bool put_names(std::string& content);
  void put_chunk(std::uint32_t kind, const std::string& content);

  const Trace& names_;
  std::string& out_;
  const std::unique_ptr<char[]> content_;  // encoded events of the chunk
  std::size_t size_ = 0;                   // of these
  std::uint32_t in_chunk_ = 0;
  std::uint64_t events_ = 0;
  std::array<std::uint32_t, 5> written_names_{};
  // What the numbers of the next event are told relative to; forgotten with each chunk.
  std::uint32_t last_thread_ = 0;
  std::vector<std::uint32_t> last_site_;        // by thread
  std::array<std::uint64_t, 5> last_object_{};  // by table
};

// The whole trace as the bytes of a file.
std::string to_binary(const Trace& trace);

}  // namespace deadheat::trace
