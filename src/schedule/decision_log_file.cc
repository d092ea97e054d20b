// SPDX-License-Identifier: Apache-2.0
#include "schedule/decision_log_file.h"

#include <algorithm>
#include <string_view>

namespace deadheat::schedule {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::string_view kMagic = "DHDL";
constexpr std::size_t kChecksumSize = 8;

std::uint64_t checksum(ByteSpan bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

void put_number(ByteWriter& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.u1(static_cast<std::uint32_t>(value & 0x7f) | 0x80);
  out.u1(static_cast<std::uint32_t>(value));
}

std::uint64_t take_number(ByteReader& in) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = in.u1();
    const std::uint64_t bits = byte & 0x7f;
    if (shift == 63 && bits > 1) break;
    value |= bits << shift;
    if (byte < 0x80) return value;
  }
  in.fail();
  return 0;
}

std::uint32_t take_number_below(ByteReader& in, std::uint64_t bound) {
  const std::uint64_t value = take_number(in);
  if (value >= bound) in.fail();
  return in.failed() ? 0 : static_cast<std::uint32_t>(value);
}

// A length of a list whose elements take at least one byte each.
std::size_t take_length(ByteReader& in) {
  const std::uint64_t length = take_number(in);
  if (length > in.remaining()) in.fail();
  return in.failed() ? 0 : static_cast<std::size_t>(length);
}

}  // namespace

class DecisionLogCodec {
 public:
  static void write(const DecisionLog& log, ByteWriter& out) {
    put_number(out, log.names_.size());
    for (const std::string& name : log.names_) {
      put_number(out, name.size());
      out.put(name);
    }
    put_number(out, log.runs_.size());
    for (const DecisionLog::Run& run : log.runs_) {
      put_number(out, run.thread);
      put_number(out, run.steps);
    }
    put_number(out, log.choices_.size());
    for (const DecisionLog::Choice& choice : log.choices_) {
      put_number(out, choice.thread);
      put_number(out, choice.index);
      put_number(out, choice.of);
      put_number(out, choice.picked);
    }
    put_number(out, log.jumps_.size());
    for (const std::uint64_t jump : log.jumps_) put_number(out, jump);
    put_number(out, log.shapes_.size());
    for (const Shape& shape : log.shapes_) {
      out.u1(static_cast<std::uint8_t>(shape.kind));
      put_number(out, model::to_number(shape.site));
    }
    put_number(out, log.steps_);
    out.put(log.shape_bytes_);
  }

  static DecisionLog read(ByteReader& in) {
    DecisionLog log;
    for (std::size_t n = take_length(in); n != 0 && !in.failed(); --n) {
      const ByteSpan name = in.take(take_length(in));
      log.names_.emplace_back(name.begin(), name.end());
    }
    const std::uint64_t steps = read_runs(in, log);
    read_choices(in, log);
    read_jumps(in, log, steps);
    std::vector<Shape> shapes;
    for (std::size_t n = take_length(in); n != 0 && !in.failed(); --n) {
      const std::uint8_t kind = in.u1();
      if (kind >= kOperationKinds) in.fail();
      shapes.push_back(
          {static_cast<OperationKind>(kind), model::SiteId{take_number_below(in, std::uint64_t{1} << 32)}});
    }
    if (take_length(in) != steps) in.fail();
    read_steps(in, log, shapes);
    return log;
  }

 private:
  // The sum of the steps; fails when it is more than there are bytes for.
  static std::uint64_t read_runs(ByteReader& in, DecisionLog& log) {
    std::uint64_t steps = 0;
    for (std::size_t n = take_length(in); n != 0 && !in.failed(); --n) {
      const std::uint32_t thread = take_number_below(in, log.names_.size());
      const std::uint64_t length = take_number(in);
      const bool follows_itself = !log.runs_.empty() && log.runs_.back().thread == thread;
      if (length == 0 || length > in.remaining() || follows_itself) in.fail();
      log.runs_.push_back({thread, length});
      steps += length;
      if (steps > in.remaining()) in.fail();
    }
    return steps;
  }

  static void read_choices(ByteReader& in, DecisionLog& log) {
    for (std::size_t n = take_length(in); n != 0 && !in.failed(); --n) {
      DecisionLog::Choice choice{};
      choice.thread = take_number_below(in, log.names_.size());
      choice.index = take_number(in);
      choice.of = take_number_below(in, std::uint64_t{1} << 32);
      choice.picked = take_number_below(in, choice.of);
      log.choices_.push_back(choice);
    }
  }

  static void read_jumps(ByteReader& in, DecisionLog& log, std::uint64_t steps) {
    std::uint64_t last = 0;
    for (std::size_t n = take_length(in); n != 0 && !in.failed(); --n) {
      const std::uint64_t jump = take_number(in);
      if (jump < last || jump > steps) in.fail();
      log.jumps_.push_back(last = jump);
    }
  }

  // Steps are added anew, so that the numbers of the shapes and the runs are right by construction.
  static void read_steps(ByteReader& in, DecisionLog& log, const std::vector<Shape>& shapes) {
    if (in.failed()) return;
    std::vector<DecisionLog::Run> runs;
    runs.swap(log.runs_);
    for (const DecisionLog::Run& run : runs) {
      for (std::uint64_t i = 0; i < run.steps; ++i) {
        const std::uint32_t number = take_number_below(in, shapes.size());
        if (in.failed()) return;
        log.add_step(ThreadIndex{run.thread}, shapes[number]);
      }
    }
  }
};

std::vector<std::uint8_t> encode(const DecisionLog& log) {
  ByteWriter out;
  out.put(kMagic);
  out.u2(kVersion);
  out.u1(log.complete() ? 1 : 0);
  DecisionLogCodec::write(log, out);
  out.u8(checksum(out.bytes()));
  return out.release();
}

Result<DecisionLog> decode_decision_log(ByteSpan bytes) {
  if (bytes.size() < kMagic.size() + 3 + kChecksumSize) return Error{"not a decision log: it is too short"};
  const ByteSpan body = bytes.first(bytes.size() - kChecksumSize);
  ByteReader in(body);
  const ByteSpan magic = in.take(kMagic.size());
  if (!std::equal(magic.begin(), magic.end(), kMagic.begin())) return Error{"not a decision log: it begins otherwise"};
  const std::uint32_t version = in.u2();
  if (version != kVersion) {
    return Error{"a decision log of version " + std::to_string(version) + "; this program reads version " +
                 std::to_string(kVersion) + ": record it again"};
  }
  ByteReader tail(bytes.last(kChecksumSize));
  if (tail.u8() != checksum(body)) return Error{"the decision log is damaged (its checksum is wrong): record it again"};
  const bool complete = (in.u1() & 1) != 0;
  DecisionLog log = DecisionLogCodec::read(in);
  if (!in.at_end()) return Error{"the decision log does not hold together: record it again"};
  log.set_complete(complete);
  return log;
}

std::string to_text(const DecisionLog& log) {
  std::string text;
  for (const DecisionLog::Run& run : log.runs()) {
    text += log.names()[run.thread] + " × " + std::to_string(run.steps) + '\n';
  }
  for (const DecisionLog::Choice& choice : log.choices()) {
    text += "notify by " + log.names()[choice.thread] + " at its step " + std::to_string(choice.index) + " wakes " +
            std::to_string(choice.picked + 1) + " of " + std::to_string(choice.of) + '\n';
  }
  return text;
}

}  // namespace deadheat::schedule
