// SPDX-License-Identifier: Apache-2.0
#include "cli/trace_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "trace/binary_writer.h"
#include "trace/rules.h"
#include "trace/text_writer.h"

namespace deadheat::cli {
namespace {

constexpr std::size_t kBlock = 1 << 16;

void tell(const std::string& file, const trace::Problems& problems) {
  for (const trace::Problem& problem : problems.kept()) fmt::print(stderr, "{}\n", problem_line(file, problem));
  if (const std::uint64_t more = problems.count() - problems.kept().size(); more != 0) {
    fmt::print(stderr, "… and {} more\n", more);
  }
}

}  // namespace

std::string problem_line(const std::string& file, const trace::Problem& problem) {
  if (problem.line == 0) return fmt::format("{}: {}", file, problem.message);
  if (problem.column == 0) return fmt::format("{}:{}: {}", file, problem.line, problem.message);
  return fmt::format("{}:{}:{}: {}", file, problem.line, problem.column, problem.message);
}

Result<trace::Loaded> load_trace(const std::string& file) {
  Result<trace::Loaded> loaded = trace::load(file);
  if (!loaded) return loaded;
  for (const std::string& note : loaded.value().notes) fmt::print(stderr, "deadheat: {}: {}\n", file, note);
  const trace::Problems& problems = loaded.value().problems;
  if (problems.none()) return loaded;
  tell(file, problems);
  return Error{fmt::format("{} cannot be read as a trace: {} problem{} (docs/trace-format.md describes the formats)",
                           file, problems.count(), problems.count() == 1 ? "" : "s")};
}

Result<trace::Loaded> load_sound_trace(const std::string& file) {
  Result<trace::Loaded> loaded = load_trace(file);
  if (!loaded) return loaded;
  trace::Problems problems;
  trace::check_rules(loaded.value().trace, problems);
  if (problems.none()) return loaded;
  tell(file, problems);
  return Error{fmt::format("{} breaks the rules of a trace at {} event{} (docs/trace-format.md lists them)", file,
                           problems.count(), problems.count() == 1 ? "" : "s")};
}

Result<ByteSink> ByteSink::open(const std::optional<std::filesystem::path>& path) {
  if (!path) return ByteSink("the standard output", stdout, false);
  std::FILE* file = std::fopen(path->c_str(), "we");
  if (file == nullptr) return Error{fmt::format("cannot write {}: {}", path->string(), std::strerror(errno))};
  return ByteSink(path->string(), file, true);
}

ByteSink::ByteSink(ByteSink&& other) noexcept
    : name_(std::move(other.name_)),
      file_(std::exchange(other.file_, nullptr)),
      owned_(other.owned_),
      failed_(other.failed_),
      cause_(other.cause_) {}

ByteSink::~ByteSink() {
  if (owned_ && file_ != nullptr) std::fclose(file_);
}

void ByteSink::write(std::string_view bytes) {
  if (failed_ || std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size()) return;
  failed_ = true;
  cause_ = errno;
}

Status ByteSink::finish() {
  std::FILE* file = std::exchange(file_, nullptr);
  const bool closed = owned_ ? std::fclose(file) == 0 : std::fflush(file) == 0;
  if (!failed_ && !closed) cause_ = errno;
  if (failed_ || !closed) return Error{fmt::format("cannot write {}: {}", name_, std::strerror(cause_))};
  return Ok{};
}

void write_text(const trace::Trace& trace, bool numbers, ByteSink& sink) {
  const trace::TextWriter writer(trace);
  std::string text;
  std::uint64_t number = 0;
  for (const model::Event& event : trace.events) {
    ++number;
    if (numbers) fmt::format_to(std::back_inserter(text), "{:>8} ", number);
    writer.append(event, text);
    if (text.size() < kBlock) continue;
    sink.write(text);
    text.clear();
  }
  sink.write(text);
}

void write_binary(const trace::Trace& trace, ByteSink& sink) {
  std::string bytes;
  trace::PackedChunks chunks(bytes);
  trace::BinaryWriter writer(trace, chunks);
  const auto pass_on = [&] {
    sink.write(bytes);
    bytes.clear();
  };
  for (const model::Event& event : trace.events) {
    writer.add(event);
    if (!bytes.empty()) pass_on();
  }
  writer.finish();
  pass_on();
}

}  // namespace deadheat::cli
