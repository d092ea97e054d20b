// SPDX-License-Identifier: Apache-2.0
#include "cli/options_doc.h"

#include <cstdio>

int main() { return std::fputs(deadheat::cli::options_markdown().c_str(), stdout) < 0 ? 1 : 0; }
