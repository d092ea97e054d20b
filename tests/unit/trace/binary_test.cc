// SPDX-License-Identifier: Apache-2.0
//
// The binary writer and reader: what is written is read back, whatever the bytes nothing breaks, and a torn file loses
// its last chunk only.
#include <gtest/gtest.h>

#include "tests/unit/trace/rules_oracle.h"
#include "trace/binary_format.h"
#include "trace/binary_reader.h"
#include "trace/binary_writer.h"
#include "trace/load.h"
#include "trace/text_writer.h"

namespace deadheat::trace {
namespace {

// Three chunks and an end, each chunk with names of its own.
struct Chunked {
  Trace trace;
  std::string bytes;
  std::vector<std::size_t> ends;    // of the header and of each chunk
  std::vector<std::size_t> events;  // up to there
};

Chunked make_chunked() {
  Chunked result;
  BinaryWriter writer(result.trace, result.bytes);
  const auto mark = [&] {
    result.ends.push_back(result.bytes.size());
    result.events.push_back(result.trace.events.size());
  };
  mark();
  for (int chunk = 0; chunk < 3; ++chunk) {
    for (int i = 0; i < 20; ++i) {
      model::Event event{model::EventKind::kWrite};
      event.thread = model::ThreadId{result.trace.threads.number("T" + std::to_string(i % 3))};
      event.object = result.trace.variables.number("x" + std::to_string(chunk * 20 + i));
      event.site = model::SiteId{result.trace.sites.number(std::to_string(i))};
      result.trace.events.push_back(event);
      writer.add(event);
    }
    writer.flush();
    mark();
  }
  writer.finish();
  mark();
  return result;
}

TEST(Binary, ReadsBackWhatWasWritten) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    const Trace trace = random_trace(random, {});
    const Loaded loaded = load_bytes(to_binary(trace));
    ASSERT_TRUE(loaded.problems.none() && loaded.notes.empty()) << "seed " << seed;
    EXPECT_EQ(loaded.format, Format::kBinary);
    ASSERT_EQ(text_of(loaded.trace), text_of(trace)) << "seed " << seed;
  }
  EXPECT_TRUE(load_bytes(to_binary(Trace())).problems.none());
}

TEST(Binary, ManyChunks) {
  Trace trace;
  Random random(1);
  for (std::uint32_t i = 0; i < 300'000; ++i) {
    model::Event event{random.one_in(2) ? model::EventKind::kRead : model::EventKind::kVolatileUpdate};
    event.mode = random.one_in(5) ? model::AccessMode::kOpaque : model::AccessMode::kVolatile;
    event.thread = model::ThreadId{trace.threads.number("T" + std::to_string(random.below(9)))};
    Names& names = event.kind == model::EventKind::kRead ? trace.variables : trace.syncs;
    event.object = names.number("x" + std::to_string(random.below(1 + i)));
    event.site = model::SiteId{trace.sites.number(std::to_string(random.below(500)))};
    trace.events.push_back(event);
  }
  const Loaded loaded = load_bytes(to_binary(trace));
  ASSERT_TRUE(loaded.problems.none());
  ASSERT_TRUE(text_of(loaded.trace) == text_of(trace));
}

// Converted traces have all their names before their first event.
TEST(Binary, MoreNamesThanAChunkMayHold) {
  Trace trace;
  const std::string text(1'000, 'x');
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    model::Event event{model::EventKind::kWrite, model::AccessMode::kVolatile,
                       model::ThreadId{trace.threads.number("T")}};
    event.object = trace.variables.number(text + std::to_string(i));
    event.site = model::SiteId{trace.sites.number(std::to_string(i))};
    trace.events.push_back(event);
  }
  const Loaded loaded = load_bytes(to_binary(trace));
  ASSERT_TRUE(loaded.problems.none());
  ASSERT_TRUE(text_of(loaded.trace) == text_of(trace));
}

TEST(Binary, ATornFileLosesItsLastChunkAndSaysSo) {
  const Chunked whole = make_chunked();
  for (std::size_t size = 1; size < whole.bytes.size(); ++size) {
    const Loaded loaded = load_bytes(std::string_view(whole.bytes).substr(0, size));
    std::size_t wanted = 0;
    for (std::size_t i = 0; i < whole.ends.size(); ++i) {
      if (size >= whole.ends[i]) wanted = whole.events[i];
    }
    ASSERT_EQ(loaded.trace.events.size(), wanted) << size;
    if (size < kFileHeaderBytes) {
      ASSERT_FALSE(loaded.problems.none()) << size;
    } else {
      ASSERT_TRUE(loaded.problems.none()) << size;
      ASSERT_EQ(loaded.notes.size(), 1u) << size;
    }
  }
}

TEST(Binary, DamageIsNeverReadAsEvents) {
  const Chunked whole = make_chunked();
  const std::string text = text_of(whole.trace);
  for (std::size_t at = 0; at < whole.bytes.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string bytes = whole.bytes;
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << bit);
      const Loaded loaded = load_bytes(bytes);
      ASSERT_FALSE(loaded.problems.none() && loaded.notes.empty()) << at;
      const bool in_the_middle = at < whole.ends[2] && at >= kBinaryMagic.size();
      ASSERT_TRUE(!in_the_middle || !loaded.problems.none()) << at;
      ASSERT_TRUE(loaded.format == Format::kText || text.starts_with(text_of(loaded.trace))) << at;
    }
  }
}

TEST(Binary, GivesTheSameWhateverTheBlocks) {
  const Chunked whole = make_chunked();
  for (std::size_t block = 1; block < 60; ++block) {
    Trace trace;
    Problems problems;
    std::vector<std::string> notes;
    BinaryReader reader(trace, problems, notes);
    const std::string_view bytes = whole.bytes;
    for (std::size_t at = 0; at < bytes.size(); at += block) reader.feed(bytes.substr(at, block));
    reader.finish();
    ASSERT_TRUE(problems.none() && notes.empty()) << block;
    ASSERT_EQ(text_of(trace), text_of(whole.trace)) << block;
  }
}

std::string message_of(std::string bytes) {
  const Loaded loaded = load_bytes(bytes);
  return loaded.problems.none() ? "" : loaded.problems.kept()[0].message;
}

TEST(Binary, SaysWhatIsWrong) {
  const Chunked whole = make_chunked();
  std::string newer = whole.bytes;
  newer[11] = 9;
  EXPECT_EQ(message_of(newer), "the trace has version 9, and this deadheat reads version 1");
  EXPECT_EQ(message_of(whole.bytes + "x"), "there are bytes behind the end of the trace");
  std::string damaged = whole.bytes;
  damaged[whole.ends[1] + 30] ^= 1;
  EXPECT_EQ(message_of(damaged), "chunk 2 is damaged");
  std::string endless = whole.bytes;
  endless[whole.ends[0] + 8] = '\x7f';
  EXPECT_EQ(message_of(endless), "the head of chunk 1 is damaged");
}

}  // namespace
}  // namespace deadheat::trace
