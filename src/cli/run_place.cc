// SPDX-License-Identifier: Apache-2.0
#include "cli/run_place.h"

#include <filesystem>
#include <utility>

namespace deadheat::cli {

Result<RunPlace> begin_run(const Options& options) {
  Result<StateFolder> state = StateFolder::find_or_create(options.state, std::filesystem::current_path());
  if (!state) return state.error();
  Result<Database> database = Database::open(state.value().database());
  if (!database) return database.error();
  Result<RunFolder> run = state.value().create_run();
  if (!run) return run.error();
  if (Status begun = database.value().begin_run(run.value().number, options.command); !begun) return begun.error();
  return RunPlace{std::move(state).value(), std::move(database).value(), std::move(run).value()};
}

}  // namespace deadheat::cli
