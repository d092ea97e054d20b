// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/trace_file.h"
#include "cli/verbs.h"
#include "trace/operation.h"

namespace deadheat::cli {
namespace {

struct Count {
  std::string_view operation;
  std::uint64_t count;
};

// Of the operations that occur.
std::vector<Count> counts_of(const trace::Trace& trace) {
  std::vector<Count> counts;
  for (const trace::Operation& operation : trace::operations()) counts.push_back({operation.name, 0});
  const trace::Operation* const first = trace::operations().data();
  for (const model::Event& event : trace.events) ++counts[&trace::operation_of(event) - first].count;
  std::erase_if(counts, [](const Count& count) { return count.count == 0; });
  return counts;
}

std::string_view format_name(trace::Format format) { return format == trace::Format::kText ? "text" : "binary"; }

std::string as_json(const std::string& file, const trace::Loaded& loaded) {
  const trace::Trace& trace = loaded.trace;
  nlohmann::ordered_json json = {{"file", file},
                                 {"format", format_name(loaded.format)},
                                 {"bytes", loaded.bytes},
                                 {"events", trace.events.size()},
                                 {"threads", trace.threads.size()},
                                 {"variables", trace.variables.size()},
                                 {"syncs", trace.syncs.size()},
                                 {"locations", trace.sites.size()},
                                 {"regions", trace.regions.size()}};
  nlohmann::ordered_json operations = nlohmann::ordered_json::object();
  for (const Count& count : counts_of(trace)) operations[std::string(count.operation)] = count.count;
  json["operations"] = operations;
  json["notes"] = loaded.notes;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string as_text(const std::string& file, const trace::Loaded& loaded) {
  const trace::Trace& trace = loaded.trace;
  std::string text =
      fmt::format("{}: {}, {} bytes, {} events\n", file, format_name(loaded.format), loaded.bytes, trace.events.size());
  text += fmt::format(
      "  {} threads, {} variables, {} locks and other synchronisation objects, {} locations, {} named regions\n",
      trace.threads.size(), trace.variables.size(), trace.syncs.size(), trace.sites.size(), trace.regions.size());
  for (const Count& count : counts_of(trace)) text += fmt::format("  {:<10} {:>12}\n", count.operation, count.count);
  return text;
}

}  // namespace

Result<int> trace_info_verb(const Options& options) {
  Result<ByteSink> sink = ByteSink::open({});
  if (!sink) return sink.error();
  for (const std::string& file : options.files) {
    Result<trace::Loaded> loaded = load_trace(file);
    if (!loaded) return loaded.error();
    sink.value().write(options.json ? as_json(file, loaded.value()) : as_text(file, loaded.value()));
  }
  if (Status status = sink.value().finish(); !status) return status.error();
  return 0;
}

}  // namespace deadheat::cli
