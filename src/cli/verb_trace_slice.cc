// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/trace_file.h"
#include "cli/verbs.h"
#include "trace/slice.h"

namespace deadheat::cli {
namespace {

// The numbers of names that the user gave.
Result<std::vector<std::uint32_t>> numbers_of(const std::vector<std::string>& wanted, const trace::Names& names,
                                              const char* what) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& name : wanted) {
    const std::uint32_t number = names.find(name);
    if (number == 0)
      return Error{fmt::format("the trace has no {} '{}' ('deadheat trace cat' shows its names)", what, name)};
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

Result<int> trace_slice_verb(const Options& options) {
  const std::string& file = options.files.front();
  Result<trace::Loaded> loaded = load_sound_trace(file);
  if (!loaded) return loaded.error();
  const trace::Trace& trace = loaded.value().trace;
  Result<std::vector<std::uint32_t>> threads = numbers_of(options.threads, trace.threads, "thread");
  if (!threads) return threads.error();
  Result<std::vector<std::uint32_t>> variables = numbers_of(options.variables, trace.variables, "variable");
  if (!variables) return variables.error();

  const trace::Sliced sliced =
      trace::slice(trace, {options.first_event, options.last_event, threads.value(), variables.value()});
  Result<ByteSink> sink = ByteSink::open(options.output);
  if (!sink) return sink.error();
  write_text(sliced.trace, false, sink.value());
  if (Status status = sink.value().finish(); !status) return status.error();
  fmt::print(stderr, "deadheat: {} of {} events kept", sliced.trace.events.size(), trace.events.size());
  if (sliced.carried != 0)
    fmt::print(stderr, ", {} of them from before the range (what is open where it begins)", sliced.carried);
  if (sliced.joins_left_out != 0) {
    fmt::print(stderr, "; {} joins of threads that have nothing in the slice were left out", sliced.joins_left_out);
  }
  fmt::print(stderr, "\n");
  return 0;
}

}  // namespace deadheat::cli
