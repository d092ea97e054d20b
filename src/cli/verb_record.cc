// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/recording.h"
#include "cli/trace_file.h"
#include "cli/verbs.h"

namespace deadheat::cli {
namespace {

Status tell(const std::filesystem::path& path) {
  Result<trace::Loaded> loaded = load_trace(path.string());
  if (!loaded) return loaded.error();
  const trace::Trace& trace = loaded.value().trace;
  const std::size_t events = trace.events.size();
  fmt::print(stderr, "deadheat: {}: {} events of {} thread{}, {} variables, {:.2f} bytes an event\n", path.string(),
             events, trace.threads.size(), trace.threads.size() == 1 ? "" : "s", trace.variables.size(),
             events == 0 ? 0.0 : static_cast<double>(loaded.value().bytes) / static_cast<double>(events));
  return Ok{};
}

// So that a wrong name costs no run.
Status check_target(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_directory(path, error)) return Error{fmt::format("-o: {} is a folder; give a file in it", path.string())};
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) return Error{fmt::format("-o: there is no folder {}", folder.string())};
  if (::access(folder.c_str(), W_OK) != 0) {
    return Error{fmt::format("-o: cannot write to {}: {}", folder.string(), std::strerror(errno))};
  }
  return Ok{};
}

}  // namespace

Result<int> record_verb(const Options& options) {
  if (options.output) {
    if (Status fits = check_target(*options.output); !fits) return fits.error();
  }
  Result<RunPlace> place = begin_run(options);
  if (!place) return place.error();
  Result<Recording> recorded = record_run(options, place.value());
  if (!recorded) return recorded.error();
  Recording& recording = recorded.value();
  if (options.output) {
    if (Status delivered = deliver(recording, *options.output); !delivered) return delivered.error();
  }
  for (const std::filesystem::path& trace : recording.traces) {
    if (Status told = tell(trace); !told) return told.error();
  }
  return recording.exit_status;
}

}  // namespace deadheat::cli
