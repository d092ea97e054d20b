// SPDX-License-Identifier: Apache-2.0
#include "trace/binary_writer.h"

#include <zstd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/check.h"
#include "trace/binary_format.h"
#include "trace/operation.h"

namespace deadheat::trace {

using model::to_number;

namespace {

constexpr std::uint32_t kMostEvents = 1u << 16;
constexpr std::size_t kFullContent = 1u << 20;
// Level 1 packs about 400 MB a second on the machine the benchmarks run on: events cost less than recording them.
constexpr int kLevel = 1;

// The bytes of one event, and a place for the longest there is: head and mode, and four numbers of up to ten bytes.
constexpr std::size_t kMostEventBytes = 48;

class EventBytes {
 public:
  explicit EventBytes(char* at) : at_(at) {}
  void put(std::uint8_t byte) { *at_++ = static_cast<char>(byte); }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) put(static_cast<std::uint8_t>(value | 0x80));
    put(static_cast<std::uint8_t>(value));
  }
  // Small differences in either direction become small numbers.
  void difference(std::uint64_t value, std::uint64_t from) {
    const std::uint64_t difference = value - from;
    number(difference << 1 ^ (difference >> 63 != 0 ? ~std::uint64_t{0} : 0));
  }
  char* end() const { return at_; }

 private:
  char* at_;
};

void put_number(std::string& to, std::uint64_t value) {
  char text[kMostEventBytes];
  EventBytes bytes(text);
  bytes.number(value);
  to.append(text, bytes.end());
}

void put_u4(std::string& to, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift);
}

}  // namespace

std::uint32_t head_checksum(ChunkKind kind, std::uint32_t content, std::uint32_t packed) {
  std::string head;
  put_u4(head, static_cast<std::uint32_t>(kind));
  put_u4(head, content);
  put_u4(head, packed);
  return static_cast<std::uint32_t>(XXH3_64bits(head.data(), head.size()));
}

std::uint64_t packed_checksum(ByteSpan packed) { return XXH3_64bits(packed.data(), packed.size()); }

BinaryWriter::BinaryWriter(const Trace& names, std::string& out)
    : names_(names), out_(out), content_(new char[kFullContent + kMostEventBytes]) {
  out_ += kBinaryMagic;
  put_u4(out_, kBinaryVersion);
}

void BinaryWriter::add(const model::Event& event) {
  const std::uint32_t thread = to_number(event.thread);
  const ObjectOf object = object_of(event.kind);
  auto head = static_cast<std::uint8_t>(event.kind);
  if (thread != last_thread_) head |= kOtherThread;
  if (event.mode != model::AccessMode::kVolatile) head |= kOtherMode;
  if (event.peer != model::ThreadId{}) head |= kHasPeer;
  EventBytes bytes(content_.get() + size_);
  bytes.put(head);
  if (head & kOtherThread) bytes.number(thread);
  if (head & kOtherMode) bytes.put(static_cast<std::uint8_t>(event.mode));
  if (head & kHasPeer) bytes.number(to_number(event.peer));
  if (thread >= last_site_.size()) last_site_.resize(thread + 1);
  bytes.difference(to_number(event.site), last_site_[thread]);
  if (object != ObjectOf::kNothing) {
    std::uint64_t& last = last_object_[static_cast<std::size_t>(object)];
    bytes.difference(event.object, last);
    last = event.object;
  }
  size_ = static_cast<std::size_t>(bytes.end() - content_.get());
  last_thread_ = thread;
  last_site_[thread] = to_number(event.site);
  ++events_;
  if (++in_chunk_ == kMostEvents || size_ >= kFullContent) flush();
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
      put_number(texts, text.size());
      texts += text;
    }
    put_number(content, last - written_names_[i]);
    content += texts;
    written_names_[i] = last;
    all = all && last == table.size();
  }
  return all;
}

void BinaryWriter::flush() {
  if (in_chunk_ == 0) return;
  std::string content;
  // A trace that was there before its writer has all its names in front of its first event: more than a chunk may hold.
  while (!put_names(content)) {
    put_number(content, 0);
    put_chunk(static_cast<std::uint32_t>(ChunkKind::kEvents), content);
    content.clear();
  }
  put_number(content, in_chunk_);
  content.append(content_.get(), size_);
  put_chunk(static_cast<std::uint32_t>(ChunkKind::kEvents), content);
  size_ = 0;
  in_chunk_ = 0;
  last_thread_ = 0;
  last_site_.assign(last_site_.size(), 0);
  last_object_ = {};
}

void BinaryWriter::put_chunk(std::uint32_t kind, const std::string& content) {
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), kLevel);
  DH_CHECK(ZSTD_isError(size) == 0);  // the bound is the bound
  packed.resize(size);
  const auto content_size = static_cast<std::uint32_t>(content.size());
  const auto packed_size = static_cast<std::uint32_t>(size);
  const std::uint64_t checksum = packed_checksum({reinterpret_cast<const std::uint8_t*>(packed.data()), size});
  put_u4(out_, kind);
  put_u4(out_, content_size);
  put_u4(out_, packed_size);
  put_u4(out_, head_checksum(ChunkKind{kind}, content_size, packed_size));
  put_u4(out_, static_cast<std::uint32_t>(checksum >> 32));
  put_u4(out_, static_cast<std::uint32_t>(checksum));
  out_ += packed;
}

void BinaryWriter::finish() {
  flush();
  std::string content;
  put_number(content, events_);
  put_chunk(static_cast<std::uint32_t>(ChunkKind::kEnd), content);
}

std::string to_binary(const Trace& trace) {
  std::string bytes;
  BinaryWriter writer(trace, bytes);
  for (const model::Event& event : trace.events) writer.add(event);
  writer.finish();
  return bytes;
}

}  // namespace deadheat::trace
