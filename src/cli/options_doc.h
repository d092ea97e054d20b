// SPDX-License-Identifier: Apache-2.0
//
// docs/options.md, made from the option table.
#pragma once

#include <string>

namespace deadheat::cli {

std::string options_markdown();

}  // namespace deadheat::cli
