// SPDX-License-Identifier: Apache-2.0
//
// Seeded mutations of traces through the readers and everything behind them: what trace_fuzz does for as long as it is
// let, for a moment in every run of the tests. Binary traces are mutated inside their chunks too, with checksums that
// fit.
#include <gtest/gtest.h>
#include <zstd.h>

#include "base/random.h"
#include "tests/fuzz/trace_input.h"
#include "trace/binary_format.h"

namespace deadheat::trace {
namespace {

void mutate(Random& random, std::string& bytes) {
  if (bytes.empty()) return;
  const std::uint32_t at = random.below(static_cast<std::uint32_t>(bytes.size()));
  switch (random.below(5)) {
    case 0:
      bytes[at] = static_cast<char>(random.next());
      break;
    case 1:
      bytes.erase(at, 1 + random.below(8));
      break;
    case 2:
      bytes.insert(at, bytes.substr(random.below(static_cast<std::uint32_t>(bytes.size())), random.below(30)));
      break;
    case 3:
      bytes.resize(at);
      break;
    default:
      bytes[at] = "|()\n\r ,.%_0129acqrelTL"[random.below(24)];
  }
}

void put_u4(std::string& to, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift);
}

// A file of one chunk of events with this content.
std::string file_around(const std::string& content) {
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 1));
  const auto size = static_cast<std::uint32_t>(packed.size());
  const auto content_size = static_cast<std::uint32_t>(content.size());
  const std::uint64_t checksum = packed_checksum({reinterpret_cast<const std::uint8_t*>(packed.data()), size});
  std::string file(kBinaryMagic);
  put_u4(file, kBinaryVersion);
  put_u4(file, static_cast<std::uint32_t>(ChunkKind::kEvents));
  put_u4(file, content_size);
  put_u4(file, size);
  put_u4(file, head_checksum(ChunkKind::kEvents, content_size, size));
  put_u4(file, static_cast<std::uint32_t>(checksum >> 32));
  put_u4(file, static_cast<std::uint32_t>(checksum));
  return file + packed;
}

std::string first_content(const std::string& file) {
  const std::string_view chunk = std::string_view(file).substr(kFileHeaderBytes);
  std::string content(1 << 20, '\0');
  content.resize(ZSTD_decompress(
      content.data(), content.size(), chunk.data() + kChunkHeaderBytes,
      ZSTD_findFrameCompressedSize(chunk.data() + kChunkHeaderBytes, chunk.size() - kChunkHeaderBytes)));
  return content;
}

TEST(TraceMutation, NoBytesBreakTheReaders) {
  std::uint32_t read = 0;
  for (const Seed& seed : seed_traces()) {
    ASSERT_TRUE(exercise(seed.bytes)) << seed.name;
    for (std::uint64_t number = 1; number <= 3000; ++number) {
      Random random(number);
      std::string bytes = seed.bytes;
      for (std::uint32_t i = 1 + random.below(4); i > 0; --i) mutate(random, bytes);
      read += exercise(bytes) ? 1 : 0;
    }
  }
  EXPECT_GT(read, 100u);
}

TEST(TraceMutation, NoContentOfAChunkBreaksTheReader) {
  const std::vector<Seed> seeds = seed_traces();
  for (std::size_t seed = 1; seed < seeds.size(); ++seed) {  // the first is a text
    const std::string content = first_content(seeds[seed].bytes);
    ASSERT_TRUE(exercise(file_around(content)));
    for (std::uint64_t number = 1; number <= 5000; ++number) {
      Random random(number);
      std::string bytes = content;
      for (std::uint32_t i = 1 + random.below(4); i > 0; --i) mutate(random, bytes);
      exercise(file_around(bytes));
    }
  }
}

}  // namespace
}  // namespace deadheat::trace
