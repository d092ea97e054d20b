// SPDX-License-Identifier: Apache-2.0
//
// The file of a trace. What has become a chunk is in it at once, so a process that is killed loses no more than the
// last one, which is still being filled. Opened, fed and finished by one thread at a time, that of the recorder.
#pragma once

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
  bool is_closed() const { return file_ < 0; }

 private:
  void write_out();

  RunLog& log_;
  int file_ = -1;
  trace::ChunkPacker packer_;
  std::string packed_;
};

}  // namespace deadheat::agent
