// SPDX-License-Identifier: Apache-2.0
//
// What the trace verbs share: reading a file so that the user learns what is wrong with it, and writing a trace to a
// file or to the standard output.
#pragma once

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/load.h"

namespace deadheat::cli {

// How a problem is told: "bank.trace:12:3: …".
std::string problem_line(const std::string& file, const trace::Problem& problem);

// A trace that could be read whole. Its notes go to stderr; so do the problems of one that could not, and the error
// says how many there are.
Result<trace::Loaded> load_trace(const std::string& file);
// The same, and it keeps the rules of a trace.
Result<trace::Loaded> load_sound_trace(const std::string& file);

// Bytes in the order given, to a file or, without a name, to the standard output; a full disk is noticed.
class ByteSink {
 public:
  static Result<ByteSink> open(const std::optional<std::filesystem::path>& path);
  ByteSink(ByteSink&& other) noexcept;
  ByteSink& operator=(ByteSink&&) = delete;
  ~ByteSink();

  void write(std::string_view bytes);
  // Everything has been written.
  Status finish();

 private:
  ByteSink(std::string name, std::FILE* file, bool owned) : name_(std::move(name)), file_(file), owned_(owned) {}

  std::string name_;
  std::FILE* file_;
  bool owned_;
  bool failed_ = false;
  int cause_ = 0;
};

// The events as text, a line each; with their numbers in front of them if those are wanted.
void write_text(const trace::Trace& trace, bool numbers, ByteSink& sink);

void write_binary(const trace::Trace& trace, ByteSink& sink);

}  // namespace deadheat::cli
