// SPDX-License-Identifier: Apache-2.0
//
// How far long work is: a bar on a terminal, and otherwise only the lines that are worth keeping. On stderr.
#pragma once

#include <cstddef>
#include <string>

namespace deadheat::cli {

class Progress {
 public:
  explicit Progress(std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `note` is what to show beside the bar.
  void update(std::size_t done, const std::string& note);
  // A line of its own, with or without a terminal.
  void line(const std::string& text);

 private:
  void erase();
  void draw();

  const std::size_t total_;
  const bool terminal_;
  std::size_t done_ = 0;
  std::string note_;
};

}  // namespace deadheat::cli
