// SPDX-License-Identifier: Apache-2.0
//
// The analyses by their definitions, slow and obvious: what the fast ones are compared with. For traces of up to 64
// events.
#pragma once

#include <optional>
#include <set>

#include "predict/analysis.h"

namespace deadheat::predict {

std::set<EventPair> happens_before_by_definition(const trace::Trace& trace);
std::set<EventPair> schedulable_by_definition(const trace::Trace& trace);
std::set<EventPair> weak_causal_by_definition(const trace::Trace& trace);
// The least set of events that has the two threads' pasts and is closed (docs/prediction.md) has neither event.
std::set<EventPair> sync_preserving_by_definition(const trace::Trace& trace);

// The first event with which the graph of transactions has a cycle.
std::optional<EventNumber> first_cycle_by_definition(const trace::Trace& trace);

}  // namespace deadheat::predict
