// SPDX-License-Identifier: Apache-2.0
//
// What a JVM under `deadheat hunt` leaves behind (docs/records.md): how it went, and for each race the lock orders that
// were reversed before it was seen.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace deadheat::report {

// A lock that two threads took in the order opposite to the one they would have come in.
struct ReversedEdge {
  std::string lock;             // its type
  std::string first, first_at;  // the thread that came first, and where: a.b.C.m:12
  std::string held, held_at;    // the one that was held for it
};

struct Exposure {
  std::string strategy;
  std::uint64_t seed = 0;
  std::vector<ReversedEdge> reversed;  // those of the race's two threads, the last one first
};

struct HuntOutcome {
  std::uint64_t requests = 0;  // looked at
  std::uint64_t holds = 0;
  std::uint64_t reversed = 0;   // holds that ended as wanted
  std::uint64_t thrashing = 0;  // the others
  std::uint64_t delays = 0;     // ConTest
  std::uint64_t relations = 0;

  void add(const HuntOutcome& other);
};

Exposure exposure_from_json(const nlohmann::json& value);
nlohmann::json exposure_to_json(const Exposure& exposure);
HuntOutcome hunt_outcome_from_json(const nlohmann::json& value);

}  // namespace deadheat::report
