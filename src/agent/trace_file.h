// SPDX-License-Identifier: Apache-2.0
//
// The file of a trace, packed and written by a thread of its own: recorded threads run one at a time, so there is a
// processor for it, and who is recorded need not wait. It lags behind by one chunk at most; then whoever has the next
// one waits: so much a process that is killed may lose beside what has not become a chunk. Where no thread is to be had
// whoever has a chunk packs it. Opened, fed and finished by one thread at a time, that of the recorder.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>

#include "agent/run_log.h"
#include "base/result.h"
#include "trace/chunk_packer.h"

namespace deadheat::agent {

class TraceFile final : public trace::ContentSink {
 public:
  explicit TraceFile(RunLog& log) : log_(log) {}
  ~TraceFile() override { finish(); }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  Status open(const std::string& path);
  void take(trace::ChunkKind kind, std::string content) override;
  // True: all that was taken is in the file. Nothing follows.
  bool finish();
  // There is no file, or not any more: it could not be written, which was said.
  bool is_closed() const { return file_.load(std::memory_order_relaxed) < 0; }

 private:
  struct Content {
    trace::ChunkKind kind;
    std::string bytes;
  };
  static constexpr std::size_t kMostWaiting = 1;

  void work();
  void pack(trace::ChunkKind kind, const std::string& content);
  void write_out();

  RunLog& log_;
  std::atomic<int> file_{-1};
  pthread_t worker_{};
  bool has_worker_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Content> waiting_;  // under mutex_, the one that is being written included
  bool finished_ = false;        // under mutex_
  // The worker's own, if there is one.
  trace::ChunkPacker packer_;
  std::string packed_;
};

}  // namespace deadheat::agent
