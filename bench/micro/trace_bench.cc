// SPDX-License-Identifier: Apache-2.0
//
// Reading and writing traces: a generated text of two million events, 8 threads. items_per_second is events a second.
#include <benchmark/benchmark.h>

#include "base/random.h"
#include "trace/binary_writer.h"
#include "trace/load.h"
#include "trace/rules.h"
#include "trace/text_writer.h"

namespace {

using namespace deadheat;

struct Profile {
  std::uint32_t locks;
  std::uint32_t variables_per_lock;
  bool unique_locations;  // the line's number instead of one of a thousand places
};

constexpr Profile kPoor{8, 5, false};
constexpr Profile kRich{64, 200, false};
constexpr Profile kUnique{64, 200, true};
constexpr std::uint32_t kEvents = 2'000'000;

// Critical sections of a few accesses each, as the lock-poor and lock-rich profiles have them.
std::string make_text(const Profile& profile) {
  Random random(1);
  std::string text;
  std::uint32_t line = 0;
  const auto put = [&](std::uint32_t thread, const char* operation, char kind, std::uint32_t object) {
    ++line;
    text += "T" + std::to_string(thread) + "|" + operation + "(" + kind + std::to_string(object) + ")|" +
            std::to_string(profile.unique_locations ? line : random.below(1000)) + "\n";
  };
  while (line < kEvents) {
    const std::uint32_t thread = random.below(8);
    const std::uint32_t lock = random.below(profile.locks);
    put(thread, "acq", 'L', lock);
    for (std::uint32_t i = 2 + random.below(8); i > 0; --i) {
      const std::uint32_t variable = lock * profile.variables_per_lock + random.below(profile.variables_per_lock);
      put(thread, random.one_in(3) ? "w" : "r", 'V', variable);
    }
    put(thread, "rel", 'L', lock);
  }
  return text;
}

void read_text(benchmark::State& state, const Profile& profile) {
  const std::string text = make_text(profile);
  std::size_t events = 0;
  for (auto _ : state) {
    const trace::Loaded loaded = trace::load_bytes(text);
    if (!loaded.problems.none()) state.SkipWithError("the generated trace cannot be read");
    events += loaded.trace.events.size();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(events));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK_CAPTURE(read_text, lock_poor, kPoor)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_text, lock_rich, kRich)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_text, every_location_once, kUnique)->Unit(benchmark::kMillisecond);

void write_text(benchmark::State& state) {
  const trace::Loaded loaded = trace::load_bytes(make_text(kRich));
  std::string text;
  for (auto _ : state) {
    text.clear();
    const trace::TextWriter writer(loaded.trace);
    for (const model::Event& event : loaded.trace.events) writer.append(event, text);
    benchmark::DoNotOptimize(text.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * loaded.trace.events.size()));
}
BENCHMARK(write_text)->Unit(benchmark::kMillisecond);

void write_binary(benchmark::State& state) {
  const trace::Loaded loaded = trace::load_bytes(make_text(kRich));
  std::size_t size = 0;
  for (auto _ : state) size = trace::to_binary(loaded.trace).size();
  const std::size_t events = loaded.trace.events.size();
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * events));
  state.counters["bytes_per_event"] = static_cast<double>(size) / static_cast<double>(events);
}
BENCHMARK(write_binary)->Unit(benchmark::kMillisecond);

void read_binary(benchmark::State& state) {
  const std::string bytes = trace::to_binary(trace::load_bytes(make_text(kRich)).trace);
  std::size_t events = 0;
  for (auto _ : state) events += trace::load_bytes(bytes).trace.events.size();
  state.SetItemsProcessed(static_cast<std::int64_t>(events));
}
BENCHMARK(read_binary)->Unit(benchmark::kMillisecond);

void check_rules(benchmark::State& state) {
  const trace::Loaded loaded = trace::load_bytes(make_text(kRich));
  for (auto _ : state) {
    trace::Problems problems;
    trace::check_rules(loaded.trace, problems);
    if (!problems.none()) state.SkipWithError("the generated trace breaks a rule");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * loaded.trace.events.size()));
}
BENCHMARK(check_rules)->Unit(benchmark::kMillisecond);

}  // namespace
