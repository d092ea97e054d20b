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
#include <string_view>
#include <vector>

#include "trace/chunk_packer.h"
#include "trace/foresight.h"
#include "trace/leb128.h"
#include "trace/trace.h"

namespace deadheat::trace {

class BinaryWriter {
 public:
  // Of a chunk. Who is killed loses the one that is being filled and those that its sink has not done with.
  static constexpr std::uint32_t kMostEvents = 1u << 15;

  // Names are taken from the tables of this trace as they grow; its events are not looked at. Chunks go to `sink`.
  BinaryWriter(const Trace& names, ContentSink& sink);

  void add(const model::Event& event);
  // A plain access of a variable that has no number. The field that it is part of has been named. True: the last access
  // at its site was of the same variable.
  bool add(const Access& access);
  // The same of `count` elements, from that of the access on.
  void add_range(const Access& access, std::uint32_t count);
  // "a.B.x", once for each number of a field.
  void name_field(std::uint32_t number, std::string_view name);
  // Hands out a chunk of what was added since the last; nothing if that is nothing. add() does so by itself when a
  // chunk is full.
  void flush();
  // The trace is complete.
  void finish();

  std::uint64_t events() const { return events_; }

 private:
  static constexpr std::size_t kFullContent = 1u << 20;

  // The upper bits of the head of an access.
  std::uint8_t choose_variable(std::uint32_t site, const AccessKey& variable) const;
  char* put_variable(char* at, std::uint8_t how, std::uint32_t site, const AccessKey& variable) const;
  void added(const char* end, std::uint32_t events);
  // New names, as many as a chunk should hold. False: there are more.
  bool put_names(std::string& content);

  const Trace& names_;
  ContentSink& sink_;
  const std::unique_ptr<char[]> content_;  // encoded events of the chunk
  std::size_t size_ = 0;                   // of these
  std::uint32_t in_chunk_ = 0;
  std::uint64_t events_ = 0;
  std::array<std::uint32_t, 5> written_names_{};
  std::string field_names_;  // new ones, encoded
  std::uint32_t new_fields_ = 0;
  // What the numbers of the next event are told relative to; but for the foresight forgotten with each chunk.
  std::uint32_t last_thread_ = 0;
  std::array<std::uint64_t, 5> last_object_{};  // by table
  Foresight foresight_;
};

// Here, since most events of a recorded run are these and their recorder does little else.
inline bool BinaryWriter::add(const Access& access) {
  const std::uint32_t thread = to_number(access.thread);
  const std::uint32_t site = to_number(access.site);
  foresight_.make_room(site, thread);
  const std::uint8_t how = choose_variable(site, access.variable);
  const bool other_site = site != foresight_.next_site(thread);
  const bool other_thread = thread != last_thread_;
  char* at = content_.get() + size_;
  *at++ = static_cast<char>(how | (other_thread ? kOtherThread : 0) |
                            (kFirstAccess + (access.writes ? kWrites : 0) + (access.is_element ? kOfElement : 0) +
                             (other_site ? kOtherSite : 0)));
  if (other_thread) at = put_number(at, thread);
  if (other_site) at = put_difference(at, site, foresight_.last_site(thread));
  at = put_variable(at, how, site, access.variable);
  foresight_.accessed(thread, site, access.variable);
  last_thread_ = thread;
  added(at, 1);
  return how == kForeseen && access.variable.object != 0;  // which is foreseen where there was no access yet
}

inline std::uint8_t BinaryWriter::choose_variable(std::uint32_t site, const AccessKey& variable) const {
  const AccessKey& last = foresight_.last_at(site);
  if (variable.object == last.object) return variable.part == last.part ? kForeseen : kOtherPart;
  return variable.part == last.part && variable.object == foresight_.last_object() ? kLastObject : kOtherVariable;
}

inline char* BinaryWriter::put_variable(char* at, std::uint8_t how, std::uint32_t site,
                                        const AccessKey& variable) const {
  if (how == kOtherVariable) at = put_difference(at, variable.object, foresight_.last_object());
  if (how == kOtherVariable || how == kOtherPart) at = put_difference(at, variable.part, foresight_.last_at(site).part);
  return at;
}

inline void BinaryWriter::added(const char* end, std::uint32_t events) {
  size_ = static_cast<std::size_t>(end - content_.get());
  events_ += events;
  in_chunk_ += events;
  if (in_chunk_ == kMostEvents || size_ >= kFullContent) flush();
}

// The whole trace as the bytes of a file.
std::string to_binary(const Trace& trace);

}  // namespace deadheat::trace
