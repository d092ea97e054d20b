// SPDX-License-Identifier: Apache-2.0
#include "cli/options_doc.h"

#include <fmt/format.h>

#include "cli/options.h"

namespace deadheat::cli {

std::string options_markdown() {
  std::string text =
      "# Options\n\n"
      "Made by `make docs` from the table in `src/cli/options.cc`; do not edit.\n\n"
      "`deadheat --help` lists the verbs, `deadheat --version` prints the version.\n";
  for (const VerbSpec& verb : verb_table()) {
    text += fmt::format("\n## deadheat {0}\n\n`deadheat {0} {1}`: {2}.\n\n", verb.name, verb.usage, verb.help);
    text += "| option | meaning |\n|---|---|\n";
    for (const OptionSpec& option : option_table()) {
      if (option.verb != verb.verb) continue;
      const std::string also = option.short_name.empty() ? "" : fmt::format("`{}`, ", option.short_name);
      text += fmt::format("| {}`{}{}{}` | {}{} |\n", also, option.name, option.value.empty() ? "" : " ", option.value,
                          option.help, option.repeatable ? "; may be given several times" : "");
    }
    text += "| `-h`, `--help` | print this help |\n";
  }
  return text;
}

}  // namespace deadheat::cli
