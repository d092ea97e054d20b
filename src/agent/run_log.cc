// SPDX-License-Identifier: Apache-2.0
#include "agent/run_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/json_writer.h"

namespace deadheat::agent {

namespace {

Status make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (mkdir(part.c_str(), 0777) != 0 && errno != EEXIST) {
      return Error{"cannot make folder " + part + ": " + std::strerror(errno) + "; give another one with dir="};
    }
    if (slash == std::string::npos) return Ok{};
  }
}

bool write_all(int file, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t wrote = ::write(file, at, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    at += wrote;
    size -= static_cast<std::size_t>(wrote);
  }
  return true;
}

}  // namespace

RunLog::~RunLog() {
  if (file_ >= 0) close(file_);
}

Status RunLog::open(const std::string& directory) {
  folder_ = directory + "/jvm-" + std::to_string(getpid());
  Status made = make_folders(folder_);
  if (!made.ok()) return made;
  const std::string path = folder_ + "/records.jsonl";
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) return Error{"cannot write " + path + ": " + std::strerror(errno) + "; give another folder with dir="};
  return Ok{};
}

void RunLog::write(const std::string& json) {
  const std::string line = json + "\n";
  const std::lock_guard<std::mutex> lock(mutex_);
  if (file_ < 0) return;
  if (!write_all(file_, line.data(), line.size()) && !complained_.exchange(true)) {
    std::fprintf(stderr, "deadheat: cannot write to %s: %s; the program goes on, what is found from now on is lost\n",
                 folder_.c_str(), std::strerror(errno));
  }
}

void RunLog::warn(std::string_view message, bool fatal) {
  std::fprintf(stderr, "deadheat: %.*s\n", static_cast<int>(message.size()), message.data());
  JsonWriter json;
  json.begin_object().field("type", "warning").field("message", message).field("fatal", fatal).end_object();
  write(json.text());
}

void RunLog::write_file(const std::string& name, ByteSpan bytes) {
  if (folder_.empty()) return;
  const std::string path = folder_ + "/" + name;
  if (!make_folders(path.substr(0, path.rfind('/'))).ok()) return;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return;
  write_all(file, bytes.data(), bytes.size());
  close(file);
}

}  // namespace deadheat::agent
