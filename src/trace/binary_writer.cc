// SPDX-License-Identifier: Apache-2.0
#include "trace/binary_writer.h"

#include <algorithm>

#include "trace/operation.h"

namespace deadheat::trace {

static_assert(BinaryWriter::kMostEvents <= kMostChunkEvents);

using model::to_number;

namespace {

// A place for the longest event there is: head and mode, and four numbers of up to ten bytes.
constexpr std::size_t kMostEventBytes = 48;

void append_number(std::string& to, std::uint64_t value) {
  char text[kMostEventBytes];
  to.append(text, put_number(text, value));
}

}  // namespace

BinaryWriter::BinaryWriter(const Trace& names, ContentSink& sink)
    : names_(names), sink_(sink), content_(new char[kFullContent + kMostEventBytes]) {}

void BinaryWriter::add(const model::Event& event) {
  const std::uint32_t thread = to_number(event.thread);
  const ObjectOf object = object_of(event.kind);
  auto head = static_cast<std::uint8_t>(event.kind);
  if (thread != last_thread_) head |= kOtherThread;
  if (event.mode != model::AccessMode::kVolatile) head |= kOtherMode;
  if (event.peer != model::ThreadId{}) head |= kHasPeer;
  char* at = content_.get() + size_;
  *at++ = static_cast<char>(head);
  if (head & kOtherThread) at = put_number(at, thread);
  if (head & kOtherMode) *at++ = static_cast<char>(event.mode);
  if (head & kHasPeer) at = put_number(at, to_number(event.peer));
  foresight_.make_room(to_number(event.site), thread);
  at = put_difference(at, to_number(event.site), foresight_.last_site(thread));
  foresight_.came_to(thread, to_number(event.site));
  if (object != ObjectOf::kNothing) {
    std::uint64_t& last = last_object_[static_cast<std::size_t>(object)];
    at = put_difference(at, event.object, last);
    last = event.object;
  }
  last_thread_ = thread;
  added(at, 1);
}

void BinaryWriter::add_range(const Access& access, std::uint32_t count) {
  const std::uint32_t thread = to_number(access.thread);
  const std::uint32_t site = to_number(access.site);
  AccessKey first = access.variable;
  for (std::uint32_t taken = 0; count != 0; count -= taken, first.part += taken) {
    taken = std::min(count, kMostEvents - in_chunk_);
    foresight_.make_room(site, thread);
    const std::uint8_t how = choose_variable(site, first);
    char* at = content_.get() + size_;
    *at++ = static_cast<char>(how | (thread != last_thread_ ? kOtherThread : 0) |
                              (kFirstRange + (access.writes ? kWrites : 0)));
    if (thread != last_thread_) at = put_number(at, thread);
    at = put_difference(at, site, foresight_.last_site(thread));
    at = put_number(put_variable(at, how, site, first), taken);
    foresight_.accessed(thread, site, first);
    last_thread_ = thread;
    added(at, taken);
  }
}

void BinaryWriter::name_field(std::uint32_t number, std::string_view name) {
  if (field_names_.size() >= kFullContent) flush();
  append_number(field_names_, number);
  append_number(field_names_, name.size());
  field_names_ += name;
  ++new_fields_;
}

bool BinaryWriter::put_names(std::string& content) {
  const Names* const tables[] = {&names_.threads, &names_.variables, &names_.syncs, &names_.sites, &names_.regions};
  bool all = true;
  for (std::size_t i = 0; i < std::size(tables); ++i) {
    const Names& table = *tables[i];
    std::string texts;
    std::uint32_t last = written_names_[i];
    while (last < table.size() && content.size() + texts.size() < kFullContent) {
      const std::string& text = table.text(++last);
      append_number(texts, text.size());
      texts += text;
    }
    append_number(content, last - written_names_[i]);
    content += texts;
    written_names_[i] = last;
    all = all && last == table.size();
  }
  append_number(content, new_fields_);
  content += field_names_;
  field_names_.clear();
  new_fields_ = 0;
  return all;
}

void BinaryWriter::flush() {
  if (in_chunk_ == 0) return;
  std::string content;
  // A trace that was there before its writer has all its names in front of its first event: more than a chunk may hold.
  while (!put_names(content)) {
    append_number(content, 0);
    sink_.take(ChunkKind::kEvents, std::move(content));
    content.clear();
  }
  append_number(content, in_chunk_);
  content.append(content_.get(), size_);
  sink_.take(ChunkKind::kEvents, std::move(content));
  size_ = 0;
  in_chunk_ = 0;
  last_thread_ = 0;
  last_object_ = {};
}

void BinaryWriter::finish() {
  flush();
  std::string content;
  append_number(content, events_);
  sink_.take(ChunkKind::kEnd, std::move(content));
}

std::string to_binary(const Trace& trace) {
  std::string bytes;
  PackedChunks chunks(bytes);
  BinaryWriter writer(trace, chunks);
  for (const model::Event& event : trace.events) writer.add(event);
  writer.finish();
  return bytes;
}

}  // namespace deadheat::trace
