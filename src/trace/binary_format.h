// SPDX-License-Identifier: Apache-2.0
//
// What the binary trace format is made of (docs/trace-format.md); shared by its writer and its reader only.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.h"

namespace deadheat::trace {

// Not text, and damaged by whatever changes line ends or strips the eighth bit.
inline constexpr std::string_view kBinaryMagic =
    "\x89"
    "DHT\r\n\x1a\n";
inline constexpr std::uint32_t kBinaryVersion = 2;
inline constexpr std::uint32_t kOldestBinaryVersion = 1;  // which is read too
inline constexpr std::size_t kFileHeaderBytes = 12;       // magic, version

// A chunk: its kind, the size of its content, the size of that when packed, a checksum of these three, another of the
// packed bytes, the packed bytes. With a checksum of its own a damaged size is not taken for the end of the file.
enum class ChunkKind : std::uint32_t {
  kEvents = 0x44486576,  // "DHev": new names, then events
  kEnd = 0x4448656e,     // "DHen": the number of all events; nothing follows
};
inline constexpr std::size_t kChunkHeaderBytes = 24;
// No reader needs more memory than this for a chunk, whatever its header says.
inline constexpr std::uint32_t kMostContent = 16u << 20;

// The head of an event: its kind and what follows.
inline constexpr std::uint8_t kKindMask = 0x1f;
inline constexpr std::uint8_t kOtherThread = 0x20;  // a thread follows; else it is that of the event before
inline constexpr std::uint8_t kOtherMode = 0x40;    // a mode follows; else it is volatile
inline constexpr std::uint8_t kHasPeer = 0x80;      // a peer follows

// Behind the kinds of model::EventKind, since version 2: plain accesses of variables that are told by object and part
// (access_key.h) instead of by the number of a name. All are below 32.
inline constexpr std::uint8_t kFirstAccess = 22;  // + kWrites + kOfElement + kOtherSite
inline constexpr std::uint8_t kWrites = 1;
inline constexpr std::uint8_t kOfElement = 2;
inline constexpr std::uint8_t kOtherSite = 4;                  // a site follows; else it is the one that was foreseen
inline constexpr std::uint8_t kFirstRange = kFirstAccess + 8;  // + kWrites: elements in a row; how many follows
// The upper bits of an access's head, as far as they are not the thread's:
inline constexpr std::uint8_t kVariableMask = 0xc0;
inline constexpr std::uint8_t kForeseen = 0;          // object and part of the last access at the site
inline constexpr std::uint8_t kLastObject = 0x40;     // that part of the object that was accessed last
inline constexpr std::uint8_t kOtherPart = 0x80;      // of the object of the last access at the site; the part follows
inline constexpr std::uint8_t kOtherVariable = 0xc0;  // object and part follow

// Events of one chunk, those of ranges counted one by one: what a reader has to expect at most.
inline constexpr std::uint32_t kMostChunkEvents = 1u << 17;

std::uint32_t head_checksum(ChunkKind kind, std::uint32_t content, std::uint32_t packed);
std::uint64_t packed_checksum(ByteSpan packed);

}  // namespace deadheat::trace
