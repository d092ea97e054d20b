// SPDX-License-Identifier: Apache-2.0
//
// Where a verb that runs the user's command works: the state folder, its database, and a new run in both.
#pragma once

#include "base/result.h"
#include "cli/database.h"
#include "cli/options.h"
#include "cli/state_folder.h"

namespace deadheat::cli {

struct RunPlace {
  StateFolder state;
  Database database;
  RunFolder run;
};

// Makes what is missing.
Result<RunPlace> begin_run(const Options& options);

}  // namespace deadheat::cli
