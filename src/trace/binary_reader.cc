// SPDX-License-Identifier: Apache-2.0
#include "trace/binary_reader.h"

#include <zstd.h>

#include <algorithm>

#include "trace/binary_format.h"
#include "trace/operation.h"

namespace deadheat::trace {

using model::EventKind;
using model::ThreadId;

namespace {

ByteSpan bytes_of(std::string_view text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

std::uint64_t read_number(ByteReader& in) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = in.u1();
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  in.fail();
  return 0;
}

std::uint64_t read_difference(ByteReader& in, std::uint64_t from) {
  const std::uint64_t coded = read_number(in);
  return from + (coded >> 1 ^ (coded & 1 ? ~std::uint64_t{0} : 0));
}

std::string_view text_of(ByteSpan bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Objects, fields and indices have 32 bits.
constexpr std::uint64_t kMostPart = ~std::uint32_t{0};

// A number of the table, or 0.
bool is_of(const Names& names, std::uint64_t number) { return number <= names.size(); }

}  // namespace

void BinaryReader::feed(std::string_view block) {
  if (failed_) return;
  pending_ += block;
  std::size_t needed = 0;
  while (!failed_ && !pending_.empty() && (needed = take_one()) == 0) {
  }
  // Reserve in time: a chunk is not copied around with every block.
  pending_.reserve(std::min<std::size_t>(needed, kMostContent));
}

std::size_t BinaryReader::take_one() {
  if (!header_read_) {
    if (pending_.size() < kFileHeaderBytes) return kFileHeaderBytes;
    ByteReader in(bytes_of(pending_).subspan(kBinaryMagic.size()));
    version_ = in.u4();
    if (!pending_.starts_with(kBinaryMagic)) refuse("this is no binary trace");
    if (version_ < kOldestBinaryVersion || version_ > kBinaryVersion) {
      refuse("the trace has version " + std::to_string(version_) + ", and this deadheat reads versions " +
             std::to_string(kOldestBinaryVersion) + " to " + std::to_string(kBinaryVersion));
    }
    header_read_ = true;
    pending_.erase(0, kFileHeaderBytes);
    return 0;
  }
  if (ended_) refuse("there are bytes behind the end of the trace");
  if (!damaged_.empty()) refuse(damaged_);
  if (failed_) return 0;
  if (pending_.size() < kChunkHeaderBytes) return kChunkHeaderBytes;
  const ByteSpan all = bytes_of(pending_);
  ByteReader in(all);
  const ChunkKind kind{in.u4()};
  const std::uint32_t size = in.u4();
  const std::uint32_t packed = in.u4();
  if (in.u4() != head_checksum(kind, size, packed) || size > kMostContent ||
      packed > ZSTD_compressBound(kMostContent)) {
    refuse("the head of chunk " + std::to_string(chunks_ + 1) + " is damaged");
    return 0;
  }
  if (pending_.size() - kChunkHeaderBytes < packed) return kChunkHeaderBytes + packed;
  ++chunks_;
  if (!take_chunk(all.first(kChunkHeaderBytes), all.subspan(kChunkHeaderBytes, packed))) {
    damaged_ = "chunk " + std::to_string(chunks_) + " is damaged";
  }
  pending_.erase(0, kChunkHeaderBytes + packed);
  return 0;
}

bool BinaryReader::take_chunk(ByteSpan header, ByteSpan packed) {
  ByteReader in(header);
  const ChunkKind kind{in.u4()};
  const std::uint32_t size = in.u4();
  in.skip(8);
  if (in.u8() != packed_checksum(packed)) return false;
  std::vector<std::uint8_t> content(size);
  if (ZSTD_decompress(content.data(), content.size(), packed.data(), packed.size()) != size) return false;
  if (kind == ChunkKind::kEvents) return read_events(content);
  if (kind != ChunkKind::kEnd) return false;
  ByteReader end(content);
  ended_ = read_number(end) == trace_.events.size() && end.at_end();
  return ended_;
}

void BinaryReader::read_names(ByteReader& in) {
  for (Names* names : {&trace_.threads, &trace_.variables, &trace_.syncs, &trace_.sites, &trace_.regions}) {
    const std::uint64_t count = read_number(in);
    for (std::uint64_t i = 0; i < count && !in.failed(); ++i) {
      const std::string_view text = text_of(in.take(read_number(in)));
      const std::uint32_t size = names->size();
      names->number(text);
      if (names->size() != size + 1) in.fail();  // empty, or there already
    }
  }
  const std::uint64_t fields = version_ >= 2 ? read_number(in) : 0;
  for (std::uint64_t i = 0; i < fields && !in.failed(); ++i) {
    const std::uint64_t number = read_number(in);
    const std::string_view text = text_of(in.take(read_number(in)));
    if (number > kMostPart || !keyed_.name_field(static_cast<std::uint32_t>(number), text)) in.fail();
  }
}

// All or nothing: names and events of a chunk that cannot be read to its end are not kept.
bool BinaryReader::read_events(ByteSpan content) {
  const std::size_t events_before = trace_.events.size();
  ByteReader in(content);
  read_names(in);
  const std::uint64_t count = read_number(in);
  // Ranges may take less than a byte an event.
  if (in.failed() || count > (version_ >= 2 ? kMostChunkEvents : in.remaining())) return false;
  const std::size_t end = events_before + count;
  if (end > trace_.events.capacity()) trace_.events.reserve(std::max(end, 2 * trace_.events.capacity()));
  foresight_.make_room(trace_.sites.size(), trace_.threads.size());
  if (version_ < 2) foresight_.forget();
  std::uint64_t last_object[5] = {};
  last_thread_ = 0;
  bool good = true;
  while (good && trace_.events.size() < end) good = read_event(in, end - trace_.events.size(), last_object);
  if (good && in.at_end()) return true;
  trace_.events.resize(events_before);
  return false;
}

bool BinaryReader::read_event(ByteReader& in, std::uint64_t most, std::uint64_t (&last_object)[5]) {
  const std::uint8_t head = in.u1();
  const std::uint64_t thread = head & kOtherThread ? read_number(in) : last_thread_;
  if (in.failed() || thread == 0 || !is_of(trace_.threads, thread)) return false;
  last_thread_ = static_cast<std::uint32_t>(thread);
  if ((head & kKindMask) >= kFirstAccess) return version_ >= 2 && read_access(in, head, last_thread_, most);
  model::Event event{static_cast<EventKind>(head & kKindMask)};
  const std::uint8_t mode = head & kOtherMode ? in.u1() : static_cast<std::uint8_t>(model::AccessMode::kVolatile);
  const std::uint64_t peer = head & kHasPeer ? read_number(in) : 0;
  if (!is_of(trace_.threads, peer) || mode > static_cast<std::uint8_t>(model::AccessMode::kVolatile)) return false;
  const std::uint64_t site = read_difference(in, foresight_.last_site(last_thread_));
  if (!is_of(trace_.sites, site)) return false;
  const ObjectOf object = object_of(event.kind);
  if (object != ObjectOf::kNothing) {
    std::uint64_t& last = last_object[static_cast<std::size_t>(object)];
    event.object = last = read_difference(in, last);
    const bool optional = object == ObjectOf::kRegion;
    if (!is_of(*names_of(trace_, object), event.object) || (event.object == 0 && !optional)) return false;
  }
  if (in.failed()) return false;
  event.thread = ThreadId{last_thread_};
  event.mode = static_cast<model::AccessMode>(mode);
  event.peer = ThreadId{static_cast<std::uint32_t>(peer)};
  event.site = model::SiteId{static_cast<std::uint32_t>(site)};
  foresight_.came_to(last_thread_, static_cast<std::uint32_t>(site));
  trace_.events.push_back(event);
  return true;
}

bool BinaryReader::read_access(ByteReader& in, std::uint8_t head, std::uint32_t thread, std::uint64_t most) {
  const bool is_range = (head & kKindMask) >= kFirstRange;
  const auto what = static_cast<std::uint8_t>((head & kKindMask) - (is_range ? kFirstRange : kFirstAccess));
  const bool is_element = is_range || (what & kOfElement) != 0;
  const std::uint64_t told_site = is_range || (what & kOtherSite) != 0
                                      ? read_difference(in, foresight_.last_site(thread))
                                      : foresight_.next_site(thread);
  if (!is_of(trace_.sites, told_site)) return false;
  const auto site = static_cast<std::uint32_t>(told_site);
  const AccessKey& last = foresight_.last_at(site);
  const std::uint8_t how = head & kVariableMask;
  std::uint64_t object = how == kForeseen || how == kOtherPart ? last.object : foresight_.last_object();
  if (how == kOtherVariable) object = read_difference(in, object);
  const std::uint64_t part = how == kOtherPart || how == kOtherVariable ? read_difference(in, last.part) : last.part;
  const std::uint64_t count = is_range ? read_number(in) : 1;
  if (in.failed() || object > kMostPart || part > kMostPart) return false;
  if (count == 0 || count > most || count - 1 > kMostPart - part) return false;
  const AccessKey first{static_cast<std::uint32_t>(object), static_cast<std::uint32_t>(part)};
  model::Event event{(what & kWrites) != 0 ? EventKind::kWrite : EventKind::kRead};
  event.thread = ThreadId{thread};
  event.site = model::SiteId{site};
  for (std::uint32_t i = 0; i < count; ++i) {
    event.object = keyed_.number({first.object, first.part + i}, is_element, trace_.variables);
    if (event.object == 0) return false;
    trace_.events.push_back(event);
  }
  foresight_.accessed(thread, site, first);
  return true;
}

void BinaryReader::finish() {
  if (failed_ || ended_) return;
  const std::string kept = std::to_string(trace_.events.size()) + " events before it were read";
  if (!header_read_) {
    refuse("the file ends before the trace begins");
  } else if (!damaged_.empty()) {
    notes_.push_back("the recording did not end as it should: the last " + damaged_ + "; " + kept);
  } else if (!pending_.empty()) {
    notes_.push_back("the recording did not end as it should: the file ends in the middle of chunk " +
                     std::to_string(chunks_ + 1) + "; " + kept);
  } else {
    notes_.push_back("the recording did not end as it should: what came last may be missing; " +
                     std::to_string(trace_.events.size()) + " events were read");
  }
}

void BinaryReader::refuse(std::string message) {
  if (!failed_) problems_.add(0, 0, std::move(message));
  failed_ = true;
}

}  // namespace deadheat::trace
