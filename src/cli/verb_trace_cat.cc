// SPDX-License-Identifier: Apache-2.0
#include "cli/trace_file.h"
#include "cli/verbs.h"

namespace deadheat::cli {

Result<int> trace_cat_verb(const Options& options) {
  Result<ByteSink> sink = ByteSink::open({});
  if (!sink) return sink.error();
  for (const std::string& file : options.files) {
    Result<trace::Loaded> loaded = load_trace(file);
    if (!loaded) return loaded.error();
    write_text(loaded.value().trace, options.numbers, sink.value());
  }
  if (Status status = sink.value().finish(); !status) return status.error();
  return 0;
}

}  // namespace deadheat::cli
