// SPDX-License-Identifier: Apache-2.0
//
// What a hunt tells: its outcome, and of each race the reversed lock orders that came before it (docs/records.md).
#include "agent/class_table.h"
#include "agent/hunt.h"

namespace deadheat::agent {

namespace {

// A race is rarely behind more edges than this.
constexpr std::size_t kMostEdges = 8;

// a.b.C.m:12
std::string place_of(const Site& site) {
  std::string name = site.in->name;
  for (char& c : name) c = c == '/' ? '.' : c;
  name += "." + site.in->methods[site.method].name;
  return site.line == 0 ? name : name + ":" + std::to_string(site.line);
}

}  // namespace

void Hunt::write_exposure(JsonWriter& json, model::ThreadId thread, model::ThreadId other) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  json.key("hunt").begin_object().field("strategy", options_.strategy).field("seed", seed_);
  json.key("reversed").begin_array();
  std::size_t written = 0;
  for (auto edge = reversals_.rbegin(); edge != reversals_.rend() && written < kMostEdges; ++edge) {
    const bool concerns = edge->held == thread || edge->held == other || edge->first == thread || edge->first == other;
    if (!concerns) continue;
    ++written;
    json.begin_object().field("lock", relations_.name(edge->type));
    json.field("first", java_threads_.info_of(edge->first).name)
        .field("first_at", place_of(sites_.at(edge->first_site)));
    json.field("held", java_threads_.info_of(edge->held).name).field("held_at", place_of(sites_.at(edge->held_site)));
    json.end_object();
  }
  json.end_array().end_object();
}

void Hunt::write_outcome() const {
  const schedule::GateCounts& counts = gate_.counts();
  JsonWriter json;
  json.begin_object().field("type", "hunt").field("strategy", options_.strategy).field("seed", seed_);
  json.field("depth", options_.depth).field("requests", requests_);
  json.field("relations", static_cast<std::uint64_t>(relations_.size()));
  json.field("relations_given", static_cast<std::uint64_t>(given_));
  json.field("relations_bad", static_cast<std::uint64_t>(bad_lines_));
  json.field("holds", counts.escorts).field("thrashing", counts.thrashing());
  json.field("reversed", counts.ends[0]).field("blocked", counts.ends[1]);
  json.field("ended", counts.ends[2]).field("timed_out", counts.ends[3]);
  json.field("delays", delays_).field("refused", refused_).field("reversals_not_kept", reversals_not_kept_);
  json.field("held_microseconds", static_cast<std::uint64_t>(budget_.spent() / 1000)).end_object();
  log_.write(json.text());
}

}  // namespace deadheat::agent
