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
  PackedChunks chunks(result.bytes);
  BinaryWriter writer(result.trace, chunks);
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

// Accesses told by object and part, beside others that are not, come out as if their variables had had names.
TEST(Binary, AccessesByObjectAndPart) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    Trace wanted;
    Trace names;
    std::string bytes;
    PackedChunks chunks(bytes);
    BinaryWriter writer(names, chunks);
    for (const std::uint32_t field : {0u, 1u, ~0u}) writer.name_field(field, "a.B.f" + std::to_string(field));
    const auto add = [&](model::Event event, const std::string& variable) {
      event.object = wanted.variables.number(variable);
      wanted.events.push_back(event);
    };
    for (int i = 0; i < 3'000; ++i) {
      const std::string thread = "T" + std::to_string(random.one_in(9) ? random.below(3) : 0);
      const std::string place = std::to_string(random.one_in(3) ? random.below(50) : i % 5);
      wanted.threads.number(thread);
      wanted.sites.number(place);
      Access access{model::ThreadId{names.threads.number(thread)}, model::SiteId{names.sites.number(place)}};
      access.writes = random.one_in(2);
      model::Event event{access.writes ? model::EventKind::kWrite : model::EventKind::kRead};
      event.thread = access.thread;
      event.site = access.site;
      const std::uint32_t object = random.one_in(5) ? ~0u - random.below(9) : 1 + random.below(4);
      const std::string at = "@" + std::to_string(object);
      switch (random.below(4)) {
        case 0: {  // a name
          const std::string name = "x" + std::to_string(random.below(9));
          model::Event named = event;
          named.object = names.variables.number(name);
          writer.add(named);
          add(event, name);
          break;
        }
        case 1: {  // a field
          const std::uint32_t field = random.one_in(3) ? ~0u : random.below(2);
          const bool is_static = random.one_in(4);
          access.variable = {is_static ? 0 : object, field};
          writer.add(access);
          add(event, "a.B" + (is_static ? "" : at) + ".f" + std::to_string(field));
          break;
        }
        default: {  // an element, or a range of them; arrays and objects are two things, so other numbers
          const std::uint32_t count = random.one_in(50) ? random.below(9'000) : 1;
          access.is_element = true;
          access.variable = {100 + random.below(3), random.below(20)};
          if (count == 1) {
            writer.add(access);
          } else {
            writer.add_range(access, count);
          }
          for (std::uint32_t j = 0; j < count; ++j) {
            add(event, "array@" + std::to_string(access.variable.object) + "[" +
                           std::to_string(access.variable.part + j) + "]");
          }
        }
      }
    }
    writer.finish();
    const Loaded loaded = load_bytes(bytes);
    ASSERT_TRUE(loaded.problems.none() && loaded.notes.empty()) << "seed " << seed;
    ASSERT_TRUE(text_of(loaded.trace) == text_of(wanted)) << "seed " << seed;
  }
}

TEST(Binary, ARangeGoesOnInTheNextChunk) {
  Trace names;
  std::string bytes;
  PackedChunks chunks(bytes);
  BinaryWriter writer(names, chunks);
  Access access{model::ThreadId{names.threads.number("T")}, model::SiteId{names.sites.number("1")}, {7, 3}};
  access.is_element = true;
  writer.add(access);
  writer.add_range(access, 2 * BinaryWriter::kMostEvents);
  writer.finish();
  const Loaded loaded = load_bytes(bytes);
  ASSERT_TRUE(loaded.problems.none() && loaded.notes.empty());
  ASSERT_EQ(loaded.trace.events.size(), 2 * BinaryWriter::kMostEvents + 1);
  EXPECT_EQ(loaded.trace.variables.size(), 2 * BinaryWriter::kMostEvents);
  EXPECT_EQ(loaded.trace.variables.text(loaded.trace.events.back().object),
            "array@7[" + std::to_string(2 * BinaryWriter::kMostEvents + 2) + "]");
}

TEST(Binary, AFieldWithoutANameIsDamage) {
  Trace names;
  std::string bytes;
  PackedChunks chunks(bytes);
  BinaryWriter writer(names, chunks);
  writer.add(Access{model::ThreadId{names.threads.number("T")}, model::SiteId{}, {7, 3}});
  writer.finish();
  EXPECT_FALSE(load_bytes(bytes).problems.none());
}

// Written by the last deadheat that had version 1.
TEST(Binary, ReadsTheFirstVersion) {
  constexpr std::string_view kHex =
      "894448540d0a1a0a0000000144486576000000490000004a6bb53544f32cc2f0e211a4aa28b52ffd20490d020092440f1880"
      "578d01689d6c5935048fd0babfedea1397fcecf3ef946437f25ec834ddf719589d101bef2a074123211f1d1b1919409096aa"
      "e0c00f1a7cb597f601004448656e000000010000000a1611100db044ac0200e4545528b52ffd20010900000a";
  std::string bytes;
  for (std::size_t i = 0; i < kHex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(kHex.substr(i, 2)), nullptr, 16));
  }
  const Loaded loaded = load_bytes(bytes);
  ASSERT_TRUE(loaded.problems.none() && loaded.notes.empty());
  EXPECT_EQ(text_of(loaded.trace),
            "T0|start|1\nT0|w(x)|a:2\nT0|fork(T1)|3\nT1|acq(l)|4\nT1|vr.opaque(v)|4\nT1|r(x)|5\nT1|rel(l)|4\n"
            "T0|begin(m)|7\nT0|w(y)|8\nT0|end(m)|9\n");
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
  EXPECT_EQ(message_of(newer), "the trace has version 9, and this deadheat reads versions 1 to 2");
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
