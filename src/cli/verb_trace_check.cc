// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/trace_file.h"
#include "cli/verbs.h"
#include "trace/rules.h"

namespace deadheat::cli {
namespace {

std::string as_json(const std::string& file, const trace::Loaded& loaded, const trace::Problems& problems) {
  nlohmann::ordered_json json = {{"file", file},
                                 {"events", loaded.trace.events.size()},
                                 {"problem_count", problems.count()},
                                 {"problems", nlohmann::ordered_json::array()},
                                 {"notes", loaded.notes}};
  for (const trace::Problem& problem : problems.kept()) {
    json["problems"].push_back({{"line", problem.line}, {"column", problem.column}, {"message", problem.message}});
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string as_text(const std::string& file, const trace::Loaded& loaded, const trace::Problems& problems) {
  std::string text;
  for (const std::string& note : loaded.notes) text += fmt::format("{}: {}\n", file, note);
  for (const trace::Problem& problem : problems.kept()) text += problem_line(file, problem) + "\n";
  if (const std::uint64_t more = problems.count() - problems.kept().size(); more != 0) {
    text += fmt::format("{}: … and {} more (--most lists more)\n", file, more);
  }
  if (problems.none()) text += fmt::format("{}: {} events, all as they should be\n", file, loaded.trace.events.size());
  return text;
}

}  // namespace

Result<int> trace_check_verb(const Options& options) {
  Result<ByteSink> sink = ByteSink::open({});
  if (!sink) return sink.error();
  bool broken = false;
  for (const std::string& file : options.files) {
    Result<trace::Loaded> loaded = trace::load(file, options.most_problems);
    if (!loaded) return loaded.error();
    trace::Problems problems = loaded.value().problems;
    // Events that could not be read may be the ones that the others need.
    if (problems.none()) trace::check_rules(loaded.value().trace, problems);
    broken = broken || !problems.none();
    sink.value().write(options.json ? as_json(file, loaded.value(), problems)
                                    : as_text(file, loaded.value(), problems));
  }
  if (Status status = sink.value().finish(); !status) return status.error();
  return broken ? kExitBroken : 0;
}

}  // namespace deadheat::cli
