// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/trace_input.h"

#include "base/check.h"
#include "trace/binary_writer.h"
#include "trace/load.h"
#include "trace/operation.h"
#include "trace/public_dialect.h"
#include "trace/rules.h"
#include "trace/slice.h"
#include "trace/text_writer.h"

namespace deadheat::trace {
namespace {

bool keeps_rules(const Trace& trace) {
  Problems problems;
  check_rules(trace, problems);
  return problems.none();
}

// What a recorder leaves: accesses by object and part.
std::string keyed_binary() {
  Trace names;
  std::string bytes;
  PackedChunks chunks(bytes);
  BinaryWriter writer(names, chunks);
  writer.name_field(5, "a.B.x");
  Access access{model::ThreadId{names.threads.number("T1")}, model::SiteId{names.sites.number("12")}, {3, 5}};
  for (int i = 0; i < 3; ++i) writer.add(access);
  access.is_element = access.writes = true;
  access.variable = {4, 0};
  writer.add(access);
  writer.add_range(access, 6);
  writer.finish();
  return bytes;
}

}  // namespace

std::vector<Seed> seed_traces() {
  std::string text;
  for (const Operation& operation : operations()) {
    text += "T1|" + std::string(operation.name);
    if (operation.object != ObjectOf::kNothing) text += operation.object == ObjectOf::kThread ? "(T2)" : "(x)";
    text += "|12\n";
  }
  text += "T3|acq(m)|a\nT3|wait(m)|b\nT4|acq(m)|c\nT4|notify(m,T3)|d\nT4|rel(m)|e\nT3|wake(m)|b\n";
  return {{"text", text}, {"binary", to_binary(load_bytes(text).trace)}, {"keyed", keyed_binary()}};
}

bool exercise(std::string_view bytes) {
  Loaded loaded = load_bytes(bytes);
  const Trace& trace = loaded.trace;
  const bool sound = keeps_rules(trace);
  const std::string text = text_of(trace);
  const Loaded from_text = load_bytes(text);
  DH_CHECK(from_text.problems.none() && text_of(from_text.trace) == text);
  const Loaded from_binary = load_bytes(to_binary(trace));
  DH_CHECK(from_binary.problems.none() && from_binary.notes.empty() && text_of(from_binary.trace) == text);
  if (sound) {
    const std::uint64_t size = trace.events.size();
    DH_CHECK(keeps_rules(slice(trace, {.first = 1 + size / 3, .last = size}).trace));
    DH_CHECK(keeps_rules(lower_to_public(std::move(loaded.trace)).trace));
  }
  return loaded.problems.none();
}

}  // namespace deadheat::trace
