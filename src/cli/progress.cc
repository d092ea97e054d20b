// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace deadheat::cli {
namespace {

constexpr std::size_t kWidth = 30;

}  // namespace

Progress::Progress(std::size_t total) : total_(total), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { erase(); }

void Progress::erase() {
  if (terminal_) std::fputs("\r\x1b[K", stderr);
}

void Progress::draw() {
  if (!terminal_ || total_ == 0) return;
  const std::size_t filled = kWidth * done_ / total_;
  fmt::print(stderr, "\r\x1b[K[{}{}] {} of {}{}", std::string(filled, '#'), std::string(kWidth - filled, '.'), done_,
             total_, note_.empty() ? "" : ", " + note_);
  std::fflush(stderr);
}

void Progress::update(std::size_t done, const std::string& note) {
  done_ = done;
  note_ = note;
  draw();
}

void Progress::line(const std::string& text) {
  erase();
  fmt::print(stderr, "deadheat: {}\n", text);
  draw();
}

}  // namespace deadheat::cli
