// SPDX-License-Identifier: Apache-2.0
#include "agent/trace_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace deadheat::agent {

Status TraceFile::open(const std::string& path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file_ < 0) return Error{"cannot write the trace " + path + ": " + std::strerror(errno)};
  trace::ChunkPacker::append_file_header(packed_);
  write_out();
  return Ok{};
}

void TraceFile::take(trace::ChunkKind kind, std::string content) {
  if (is_closed()) return;
  packer_.append(kind, content, packed_);
  write_out();
}

void TraceFile::write_out() {
  std::size_t done = 0;
  while (done < packed_.size()) {
    const ssize_t count = ::write(file_, packed_.data() + done, packed_.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      log_.warn(std::string("the trace cannot be written: ") + std::strerror(errno), true);
      ::close(std::exchange(file_, -1));
      break;
    }
    done += static_cast<std::size_t>(count);
  }
  packed_.clear();
}

bool TraceFile::finish() {
  const int file = std::exchange(file_, -1);
  if (file >= 0) ::close(file);
  return file >= 0;
}

}  // namespace deadheat::agent
