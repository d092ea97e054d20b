// SPDX-License-Identifier: Apache-2.0
#include "engine/race_sink.h"

#include "engine/engine_parts.h"

namespace deadheat::engine {

void report_conflicts(const ThreadState& ts, std::uint32_t count, const VariableHandle& variable, model::SiteId site,
                      bool is_write, const RaceSink& sink) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const Conflict& previous = ts.conflicts[i];
    sink.receive(sink.context, {variable,
                                {ts.id, ts.clock, site, is_write},
                                {ts.parts->threads.thread_at(epoch_of(previous.word)), clock_of(previous.word),
                                 site_of(previous.word), previous.was_write}});
  }
}

}  // namespace deadheat::engine
