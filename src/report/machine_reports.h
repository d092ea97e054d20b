// SPDX-License-Identifier: Apache-2.0
//
// The JSON report (docs/records.md describes the races in it) and the SARIF 2.1.0 report, as text that ends in a
// newline.
#pragma once

#include <string>

#include "report/run_report.h"
#include "report/source_lines.h"

namespace deadheat::report {

std::string json_report(const RunReport& report, const std::string& version);

// SARIF wants file names relative to the source tree, hence the sources. A race inside the JDK is placed at the first
// application frame; suppressed races are in the document, marked as such.
std::string sarif_report(const RunReport& report, const std::string& version, SourceLines& sources);

}  // namespace deadheat::report
