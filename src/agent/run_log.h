// SPDX-License-Identifier: Apache-2.0
//
// Where one JVM leaves what it found: <folder>/jvm-<pid>/records.jsonl, one JSON object a line, each written with one
// system call as soon as it is known, so that a killed process loses nothing but a torn last line. Any thread may
// write. When the disk refuses, that is said once on stderr and the host goes on.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace deadheat::agent {

class RunLog {
 public:
  RunLog() = default;
  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  // Makes the folder and the file. On an error the log stays closed and write() does nothing.
  Status open(const std::string& directory);
  void write(const std::string& json);
  // `fatal`: the run cannot be called watched; the deadheat program then fails.
  void warn(std::string_view message, bool fatal = false);
  // A file beside the records, for --dump; missing folders are made.
  void write_file(const std::string& name, ByteSpan bytes);
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  std::mutex mutex_;  // one record at a time, so that a short write can be finished before the next
  int file_ = -1;     // under mutex_ after open()
  std::atomic<bool> complained_{false};
};

}  // namespace deadheat::agent
