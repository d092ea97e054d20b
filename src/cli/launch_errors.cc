// SPDX-License-Identifier: Apache-2.0
#include "cli/launch_errors.h"

#include <fmt/format.h>

namespace deadheat::cli {

Error no_jvm(const std::vector<std::string>& command, const ChildExit& exit) {
  return Error{
      fmt::format("'{}' {}, and no JVM under deadheat was seen in it; check that it starts java and keeps "
                  "JAVA_TOOL_OPTIONS in the environment, or attach the agent by hand with java -agentpath "
                  "(docs/launching.md)",
                  command.front(), describe(exit))};
}

}  // namespace deadheat::cli
