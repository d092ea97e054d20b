// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

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
  fmt::print(stderr, "deadheat: {}: {} events of {} threads, {} variables, {:.2f} bytes an event\n", path.string(),
             events, trace.threads.size(), trace.variables.size(),
             events == 0 ? 0.0 : static_cast<double>(loaded.value().bytes) / static_cast<double>(events));
  return Ok{};
}

}  // namespace

Result<int> record_verb(const Options& options) {
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
