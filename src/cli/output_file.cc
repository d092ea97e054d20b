// SPDX-License-Identifier: Apache-2.0
#include "cli/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace deadheat::cli {
namespace {

Error cannot_write(const std::filesystem::path& path) {
  return Error{fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))};
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::filesystem::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return cannot_write(path);
  return OutputFile(path, file);
}

Status OutputFile::finish(std::string_view text) {
  DH_CHECK(file_ != nullptr);
  const bool written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
  const bool closed = written && std::fclose(file_.release()) == 0;
  if (!closed) return cannot_write(path_);
  return Ok{};
}

Status open_output(const std::optional<std::filesystem::path>& path, std::optional<OutputFile>& file) {
  if (!path) return Ok{};
  Result<OutputFile> opened = OutputFile::create(*path);
  if (!opened) return opened.error();
  file = std::move(opened).value();
  return Ok{};
}

}  // namespace deadheat::cli
