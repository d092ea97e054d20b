// SPDX-License-Identifier: Apache-2.0
//
// The access methods of java.lang.invoke.VarHandle and of Unsafe by name, and what each does: for the calls of them
// (hook_plan.cc, gate_plan.cc) and for those that are bound into method handles (handle_shapes.cc).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "agent/shim_layout.h"

namespace deadheat::agent {

// The kinds of accesses (shim_layout.h).
inline constexpr std::int32_t kGet = kModeReads;
inline constexpr std::int32_t kSet = kModeWrites;
inline constexpr std::int32_t kUpdate = kModeReads | kModeWrites;
inline constexpr std::int32_t kExchange = kModeReads | kModeWrites | kModeCompares;
inline constexpr std::int32_t kBoth = kModeAcquires | kModeReleases;

// Whose calls may be accesses of any variable.
inline constexpr std::string_view kVarHandle = "java/lang/invoke/VarHandle";
inline constexpr std::string_view kMethodHandle = "java/lang/invoke/MethodHandle";
inline constexpr std::string_view kReflectedField = "java/lang/reflect/Field";
// Hands what it holds over by plain stores.
inline constexpr std::string_view kWorkQueue = "java/util/concurrent/ForkJoinPool$WorkQueue";

struct HandleMethod {
  std::string_view name;
  std::int32_t mode;
  std::uint8_t values;  // how many of the last arguments are values
  bool answers;         // returns whether it has written
};

std::span<const HandleMethod> handle_methods();

// unsafe.name(object, offset, …), of jdk.internal.misc.Unsafe or sun.misc.Unsafe; neither has all of them.
struct OffsetMethod {
  std::string name;
  std::int32_t mode;  // with the size
  bool answers;
};

// The texts live for good.
std::span<const OffsetMethod> offset_methods();

// Whether a method of VarHandle or of one of the Unsafes is a plain access.
bool is_plain_access(std::string_view owner, std::string_view name);
// Whether a method of VarHandle is any other.
bool is_atomic_access(std::string_view owner, std::string_view name);

}  // namespace deadheat::agent
