// SPDX-License-Identifier: Apache-2.0
#include "trace/load.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "trace/binary_format.h"
#include "trace/binary_reader.h"
#include "trace/text_reader.h"

namespace deadheat::trace {
namespace {

// Small enough to stay in the cache between the kernel's copy and the parser, large enough that calls do not count.
constexpr std::size_t kBlock = 256 * 1024;

// Where the bytes go, once the first of them have told the format.
class Sink {
 public:
  explicit Sink(Loaded& loaded, std::uint64_t total_bytes) : loaded_(loaded), total_bytes_(total_bytes) {}

  void feed(std::string_view block) {
    if (block.empty()) return;
    if (!text_ && !binary_ && !refused_) begin(block);
    loaded_.bytes += block.size();
    if (text_) text_->feed(block);
    if (binary_) binary_->feed(block);
  }
  void finish() {
    if (text_) text_->finish();
    if (binary_) binary_->finish();
  }
  bool refused() const { return refused_; }

 private:
  void begin(std::string_view block) {
    refused_ = true;
    if (block.starts_with("\x1f\x8b"))
      return refuse("is compressed by gzip; unpack it first: gzip -dc FILE | deadheat trace … -");
    if (block.starts_with("\x28\xb5\x2f\xfd"))
      return refuse("is compressed by zstd; unpack it first: zstd -dc FILE | deadheat trace … -");
    refused_ = false;
    // One byte is enough: no text begins with it.
    if (block.front() == kBinaryMagic.front()) {
      loaded_.format = Format::kBinary;
      binary_.emplace(loaded_.trace, loaded_.problems, loaded_.notes);
      return;
    }
    text_.emplace(loaded_.trace, loaded_.problems, total_bytes_);
  }
  void refuse(const char* why) { loaded_.problems.add(0, 0, std::string("the file ") + why); }

  Loaded& loaded_;
  const std::uint64_t total_bytes_;
  std::optional<TextReader> text_;
  std::optional<BinaryReader> binary_;
  bool refused_ = false;
};

Error io_error(const std::string& path, const char* what) {
  if (errno == EISDIR) return Error{path + " is a folder; the trace of a recorded run is jvm-*/trace in the run's"};
  return Error{std::string("cannot ") + what + " " + path + ": " + std::strerror(errno)};
}

class File {
 public:
  explicit File(const std::string& path)
      : owned_(path != "-"), fd_(owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {}
  ~File() {
    if (owned_ && fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return fd_ >= 0; }
  std::uint64_t size() const {
    struct stat status {};
    return ::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  }
  // -1: errno says why.
  ssize_t read(char* to, std::size_t size) const {
    for (;;) {
      const ssize_t count = ::read(fd_, to, size);
      if (count >= 0 || errno != EINTR) return count;
    }
  }

 private:
  const bool owned_;
  const int fd_;
};

}  // namespace

Result<Loaded> load(const std::string& path, std::size_t most_problems) {
  const File file(path);
  if (!file.is_open()) return io_error(path, "open");
  Loaded loaded;
  loaded.problems = Problems(most_problems);
  Sink sink(loaded, file.size());
  const auto buffer = std::make_unique<char[]>(kBlock);
  while (!sink.refused()) {
    const ssize_t count = file.read(buffer.get(), kBlock);
    if (count < 0) return io_error(path, "read");
    if (count == 0) break;
    sink.feed({buffer.get(), static_cast<std::size_t>(count)});
  }
  sink.finish();
  return loaded;
}

Loaded load_bytes(std::string_view bytes) {
  Loaded loaded;
  Sink sink(loaded, bytes.size());
  for (std::size_t at = 0; at < bytes.size() && !sink.refused(); at += kBlock) sink.feed(bytes.substr(at, kBlock));
  sink.finish();
  return loaded;
}

}  // namespace deadheat::trace
