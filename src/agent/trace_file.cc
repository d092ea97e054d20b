// SPDX-License-Identifier: Apache-2.0
#include "agent/trace_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace deadheat::agent {

Status TraceFile::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return Error{"cannot write the trace " + path + ": " + std::strerror(errno)};
  file_.store(file);
  trace::ChunkPacker::append_file_header(packed_);
  write_out();
  // The host's signals are for the host's threads: the new one begins with the mask of who makes it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  worker_ = std::thread([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return Ok{};
}

void TraceFile::take(trace::ChunkKind kind, std::string content) {
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
    if (!is_closed()) {
      packer_.append(next.kind, next.bytes, packed_);
      write_out();
    }
    lock.lock();
    waiting_.pop_front();
    changed_.notify_all();
  }
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
  if (!worker_.joinable()) return false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  worker_.join();
  const int file = file_.exchange(-1);
  if (file >= 0) ::close(file);
  return file >= 0;
}

}  // namespace deadheat::agent
