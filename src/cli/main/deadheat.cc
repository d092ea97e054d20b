// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "cli/option_parser.h"
#include "cli/verbs.h"

namespace {

using namespace deadheat;       // NOLINT(google-build-using-namespace)
using namespace deadheat::cli;  // NOLINT(google-build-using-namespace)

int fail(const Error& error, int status) {
  fmt::print(stderr, "deadheat: {}\n", error.message);
  return status;
}

Result<int> dispatch(const Options& options) {
  switch (options.verb) {
    case Verb::kRun:
      return run_verb(options);
    case Verb::kHunt:
      return hunt_verb(options);
    case Verb::kConfirm:
      return confirm_verb(options);
    case Verb::kReplay:
      return replay_verb(options);
    case Verb::kReport:
      return report_verb(options);
    case Verb::kRecord:
      return record_verb(options);
    case Verb::kPredict:
      return predict_verb(options);
    case Verb::kTraceInfo:
      return trace_info_verb(options);
    case Verb::kTraceCat:
      return trace_cat_verb(options);
    case Verb::kTraceCheck:
      return trace_check_verb(options);
    case Verb::kTraceConvert:
      return trace_convert_verb(options);
    case Verb::kTraceSlice:
      return trace_slice_verb(options);
    case Verb::kTraceAnalyse:
      return trace_analyse_verb(options);
  }
  return Error{"unknown verb"};
}

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = parse_command_line(std::vector<std::string>(argv + 1, argv + argc));
  if (!parsed) return fail(parsed.error(), kExitUsage);
  if (const auto* wanted = std::get_if<TextWanted>(&parsed.value())) {
    return std::fputs(wanted->text.c_str(), stdout) < 0 ? kExitFailed : 0;
  }
  const Result<int> status = dispatch(std::get<Options>(parsed.value()));
  return status ? status.value() : fail(status.error(), kExitFailed);
}
