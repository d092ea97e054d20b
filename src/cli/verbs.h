// SPDX-License-Identifier: Apache-2.0
//
// The verbs, one file each (verb_*.cc). Each returns the exit status of the program; an error is told to the user by
// the caller and becomes kExitFailed.
#pragma once

#include "base/result.h"
#include "cli/options.h"

namespace deadheat::cli {

inline constexpr int kExitBroken = 1;    // trace check: a trace is not as it should be
inline constexpr int kExitUsage = 2;     // wrong command line
inline constexpr int kExitFailed = 3;    // deadheat itself could not do its work
inline constexpr int kExitSignal = 128;  // and the number of the signal that ended it

Result<int> run_verb(const Options& options);
Result<int> hunt_verb(const Options& options);
Result<int> confirm_verb(const Options& options);
Result<int> replay_verb(const Options& options);
Result<int> report_verb(const Options& options);
Result<int> record_verb(const Options& options);
Result<int> predict_verb(const Options& options);
Result<int> trace_info_verb(const Options& options);
Result<int> trace_cat_verb(const Options& options);
Result<int> trace_check_verb(const Options& options);
Result<int> trace_convert_verb(const Options& options);
Result<int> trace_slice_verb(const Options& options);
Result<int> trace_analyse_verb(const Options& options);

}  // namespace deadheat::cli
