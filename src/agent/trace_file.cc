// SPDX-License-Identifier: Apache-2.0
#include "agent/trace_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "agent/own_thread.h"

namespace deadheat::agent {

Status TraceFile::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return Error{"cannot write the trace " + path + ": " + std::strerror(errno)};
  file_.store(file);
  trace::ChunkPacker::append_file_header(packed_);
  write_out();
  has_worker_ = start_own_thread([this] { work(); }, &worker_);
  return Ok{};
}

void TraceFile::take(trace::ChunkKind kind, std::string content) {
  if (!has_worker_) return pack(kind, content);
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting; });
  waiting_.push_back({kind, std::move(content)});
  changed_.notify_all();
}

void TraceFile::work() {
  pthread_setname_np(pthread_self(), "dh-trace");
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !waiting_.empty() || finished_; });
    if (waiting_.empty()) return;
    const Content& next = waiting_.front();  // stays where it is while others come behind it
    lock.unlock();
    pack(next.kind, next.bytes);
    lock.lock();
    waiting_.pop_front();
    changed_.notify_all();
  }
}

void TraceFile::pack(trace::ChunkKind kind, const std::string& content) {
  if (is_closed()) return;
  packer_.append(kind, content, packed_);
  write_out();
}

void TraceFile::write_out() {
  const int file = file_.load();
  std::size_t done = 0;
  while (done < packed_.size()) {
    const ssize_t count = ::write(file, packed_.data() + done, packed_.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      log_.warn(std::string("the trace cannot be written: ") + std::strerror(errno), true);
      file_.store(-1);
      ::close(file);
      break;
    }
    done += static_cast<std::size_t>(count);
  }
  packed_.clear();
}

bool TraceFile::finish() {
  if (has_worker_) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      finished_ = true;
    }
    changed_.notify_all();
    pthread_join(worker_, nullptr);
    has_worker_ = false;
  }
  const int file = file_.exchange(-1);
  if (file >= 0) ::close(file);
  return file >= 0;
}

}  // namespace deadheat::agent
