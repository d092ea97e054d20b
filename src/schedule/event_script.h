// SPDX-License-Identifier: Apache-2.0
//
// A schedule of events that a run shall follow: who does what where, in which order, up to the anomaly that it is made
// for. Made from a recorded run by whoever predicts; carried out by EventFollower. Events are known by their thread's
// stable name, their place in that thread's sequence, their kind and their site; never by an address.
//
// As text, one line each:
//   deadheat-events 1
//   thread NAME                      numbered from 0 in the order of their lines
//   site NAME                        numbered from 1
//   event THREAD KIND SITE PEER SOFT PEER: the thread that a notify wakes, or -; SOFT: 1 or 0; SITE 0: none
//   step EVENT VARIABLE              an event of the anomaly, numbered from 0, and which of its variables it accesses
//   adjacent                         the two steps come right after each other, in any order
//   end
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/event.h"

namespace deadheat::schedule {

struct ScriptEvent {
  std::uint32_t thread = 0;  // index into EventScript::threads
  model::EventKind kind{};
  model::SiteId site{};               // the host's stable number; none: not told
  std::optional<std::uint32_t> peer;  // the thread that a notify wakes
  // In code that may do more or less than it did (what a library does once, whoever comes first): it may be left out.
  bool soft = false;
};

struct EventScript {
  struct Step {
    std::uint32_t event = 0;     // index into events
    std::uint32_t variable = 0;  // equal for steps on one variable
  };
  std::vector<std::string> threads;
  std::vector<ScriptEvent> events;
  std::vector<Step> steps;  // in the order in which they shall happen
  bool adjacent = false;    // two steps, the last two events: both threads stand before them at one moment
};

// The number of a site, by its name.
using SiteNumber = std::function<model::SiteId(std::string_view name)>;

// `sites`: the names; the sites of the script are then numbers into it, from 1.
std::string to_text(const EventScript& script, const std::vector<std::string>& sites);
// Any text gives a script that holds together or an Error that names the line.
Result<EventScript> parse_event_script(std::string_view text, const SiteNumber& site_number);

}  // namespace deadheat::schedule
