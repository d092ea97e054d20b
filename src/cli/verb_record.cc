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

// A trace of many millions of events takes seconds to read: what is in it is the JVM's to say, unless it was killed.
Result<report::TraceContent> content_of(const RecordedTrace& recorded) {
  if (recorded.content) return *recorded.content;
  Result<trace::Loaded> loaded = load_trace(recorded.path.string());
  if (!loaded) return loaded.error();
  const trace::Trace& trace = loaded.value().trace;
  return report::TraceContent{trace.events.size(), trace.threads.size(), trace.variables.size()};
}

Status tell(const RecordedTrace& recorded) {
  Result<report::TraceContent> content = content_of(recorded);
  if (!content) return content.error();
  const auto& [events, threads, variables, unnamed] = content.value();
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(recorded.path, error);
  fmt::print(stderr, "deadheat: {}: {} events of {} thread{}, {} variables, {:.2f} bytes an event\n",
             recorded.path.string(), events, threads, threads == 1 ? "" : "s", variables,
             error || events == 0 ? 0.0 : static_cast<double>(bytes) / static_cast<double>(events));
  if (unnamed != 0) {
    fmt::print(stderr,
               "deadheat: {} accesses are missing in it: the heap was full, and their objects could not be numbered "
               "(give the JVM more, -Xmx)\n",
               unnamed);
  }
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
  for (const RecordedTrace& trace : recording.traces) {
    if (Status told = tell(trace); !told) return told.error();
  }
  return recording.exit_status;
}

}  // namespace deadheat::cli
