// SPDX-License-Identifier: Apache-2.0
//
// A decision log as bytes: the body of a clip. Versioned, checksummed, read with bounds: any input gives a log that
// holds together or an Error, never more memory than a small multiple of the input.
//
//   "DHDL", version u2, flags u1 (1: complete), names, runs, choices, jumps, shapes, one shape number a step, checksum
//   u8 (64-bit FNV-1a over all bytes before). Numbers are unsigned LEB128; each list begins with its length. The thread
//   of a run or choice is a number into the names, the shape of a step a number into the shapes.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "schedule/decision_log.h"

namespace deadheat::schedule {

std::vector<std::uint8_t> encode(const DecisionLog& log);
Result<DecisionLog> decode_decision_log(ByteSpan bytes);

// For people: one line a run, "0.1 × 12", and one a choice.
std::string to_text(const DecisionLog& log);

}  // namespace deadheat::schedule
