// SPDX-License-Identifier: Apache-2.0
//
// A file the user asked for. It is opened before the program runs, so that a wrong name costs no run, and written at
// the end; a full disk is noticed.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace deadheat::cli {

class OutputFile {
 public:
  static Result<OutputFile> create(const std::filesystem::path& path);

  // Writes the text and closes the file.
  Status finish(std::string_view text);

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  OutputFile(std::filesystem::path path, std::FILE* file) : path_(std::move(path)), file_(file) {}

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

// Creates it if the user asked for it.
Status open_output(const std::optional<std::filesystem::path>& path, std::optional<OutputFile>& file);

}  // namespace deadheat::cli
