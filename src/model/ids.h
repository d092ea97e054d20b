// SPDX-License-Identifier: Apache-2.0
//
// The names everything else is spoken of by. All are dense numbers handed out by a front end (or a trace reader); 0
// means "none" for every one of them.
#pragma once

#include <cstdint>

namespace deadheat::model {

// A thread of the program, never reused within a run (the engine's slots are).
enum class ThreadId : std::uint32_t {};
// A place in the program: the front end knows class, method, bytecode index and line behind it. Fits in 22 bits.
enum class SiteId : std::uint32_t {};
// A memory location: a field of one object, an array element, a static.
enum class VariableId : std::uint64_t {};
// Something threads synchronise on: a monitor, a volatile location, a park permit, a class being initialised.
enum class SyncId : std::uint64_t {};

constexpr std::uint32_t to_number(ThreadId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t to_number(SiteId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint64_t to_number(VariableId id) { return static_cast<std::uint64_t>(id); }
constexpr std::uint64_t to_number(SyncId id) { return static_cast<std::uint64_t>(id); }

}  // namespace deadheat::model
