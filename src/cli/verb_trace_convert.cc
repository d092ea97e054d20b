// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/trace_file.h"
#include "cli/verbs.h"
#include "trace/public_dialect.h"

namespace deadheat::cli {
namespace {

// The public dialect has fewer words: says on stderr what became of the rest.
void tell(const trace::Lowered& lowered, const Options& options) {
  for (const trace::Lowering& lowering : lowered.lowerings) {
    fmt::print(stderr, "deadheat: {} {}: {}\n", lowering.count, lowering.what, lowering.how);
  }
  if (!lowered.location_names.empty()) {
    fmt::print(stderr, "deadheat: {} locations became numbers{}\n", lowered.location_names.size(),
               options.locations_file ? "; " + options.locations_file->string() + " lists them"
                                      : " (--locations FILE lists them)");
  }
}

Error does_not_fit(const std::string& file, const trace::Lowered& lowered) {
  std::string message = fmt::format("{} does not fit the public dialect:", file);
  for (const trace::Lowering& lowering : lowered.lowerings) {
    message += fmt::format("\n  {} {}", lowering.count, lowering.what);
  }
  return Error{message + "\nwithout --strict they are lowered"};
}

Status write_locations(const trace::Lowered& lowered, const std::filesystem::path& path) {
  Result<ByteSink> sink = ByteSink::open(path);
  if (!sink) return sink.error();
  std::size_t number = 0;
  for (const std::string& name : lowered.location_names) sink.value().write(fmt::format("{}\t{}\n", ++number, name));
  return sink.value().finish();
}

Result<int> convert_to_public(const Options& options) {
  const std::string& file = options.files.front();
  Result<trace::Loaded> loaded = load_sound_trace(file);
  if (!loaded) return loaded.error();
  const trace::Lowered lowered = trace::lower_to_public(std::move(loaded.value().trace));
  if (options.strict && !lowered.lowerings.empty()) return does_not_fit(file, lowered);
  Result<ByteSink> sink = ByteSink::open(options.output);
  if (!sink) return sink.error();
  tell(lowered, options);
  if (options.locations_file) {
    if (Status status = write_locations(lowered, *options.locations_file); !status) return status.error();
  }
  write_text(lowered.trace, false, sink.value());
  if (Status status = sink.value().finish(); !status) return status.error();
  return 0;
}

}  // namespace

Result<int> trace_convert_verb(const Options& options) {
  if (options.trace_format == TraceFormat::kPublic) return convert_to_public(options);
  Result<trace::Loaded> loaded = load_trace(options.files.front());
  if (!loaded) return loaded.error();
  Result<ByteSink> sink = ByteSink::open(options.output);
  if (!sink) return sink.error();
  if (options.trace_format == TraceFormat::kBinary) {
    write_binary(loaded.value().trace, sink.value());
  } else {
    write_text(loaded.value().trace, false, sink.value());
  }
  if (Status status = sink.value().finish(); !status) return status.error();
  return 0;
}

}  // namespace deadheat::cli
