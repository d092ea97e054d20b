// SPDX-License-Identifier: Apache-2.0
#include "agent/access_modes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace deadheat::agent {

namespace {

constexpr HandleMethod kMethods[] = {
    {"get", kGet | kModePlain, 0, false},
    {"set", kSet | kModePlain, 1, false},
    {"getOpaque", kGet, 0, false},
    {"setOpaque", kSet, 1, false},
    {"getVolatile", kGet | kModeAcquires, 0, false},
    {"getAcquire", kGet | kModeAcquires, 0, false},
    {"setVolatile", kSet | kModeReleases, 1, false},
    {"setRelease", kSet | kModeReleases, 1, false},
    {"compareAndSet", kExchange | kBoth, 2, true},
    {"weakCompareAndSet", kExchange | kBoth, 2, true},
    {"weakCompareAndSetPlain", kExchange, 2, true},
    {"weakCompareAndSetAcquire", kExchange | kModeAcquires, 2, true},
    {"weakCompareAndSetRelease", kExchange | kModeReleases, 2, true},
    {"compareAndExchange", kExchange | kBoth, 2, false},
    {"compareAndExchangeAcquire", kExchange | kModeAcquires, 2, false},
    {"compareAndExchangeRelease", kExchange | kModeReleases, 2, false},
    {"getAndSet", kUpdate | kBoth, 1, false},
    {"getAndSetAcquire", kUpdate | kModeAcquires, 1, false},
    {"getAndSetRelease", kUpdate | kModeReleases, 1, false},
    {"getAndAdd", kUpdate | kBoth, 1, false},
    {"getAndAddAcquire", kUpdate | kModeAcquires, 1, false},
    {"getAndAddRelease", kUpdate | kModeReleases, 1, false},
    {"getAndBitwiseOr", kUpdate | kBoth, 1, false},
    {"getAndBitwiseOrAcquire", kUpdate | kModeAcquires, 1, false},
    {"getAndBitwiseOrRelease", kUpdate | kModeReleases, 1, false},
    {"getAndBitwiseAnd", kUpdate | kBoth, 1, false},
    {"getAndBitwiseAndAcquire", kUpdate | kModeAcquires, 1, false},
    {"getAndBitwiseAndRelease", kUpdate | kModeReleases, 1, false},
    {"getAndBitwiseXor", kUpdate | kBoth, 1, false},
    {"getAndBitwiseXorAcquire", kUpdate | kModeAcquires, 1, false},
    {"getAndBitwiseXorRelease", kUpdate | kModeReleases, 1, false},
};

// Plain and opaque accesses order nothing.
std::vector<OffsetMethod>* make_offset_methods() {
  auto* methods = new std::vector<OffsetMethod>;
  constexpr std::pair<const char*, int> kTypes[] = {{"Int", 2},     {"Long", 3},  {"Reference", 0}, {"Object", 0},
                                                    {"Boolean", 0}, {"Byte", 0},  {"Short", 1},     {"Char", 1},
                                                    {"Float", 2},   {"Double", 3}};
  for (const auto& [type, size] : kTypes) {
    const std::string t = type;
    const std::int32_t sized = size << kModeSizeShift;
    methods->push_back({"get" + t, sized | kGet | kModePlain, false});
    methods->push_back({"put" + t, sized | kSet | kModePlain, false});
    methods->push_back({"get" + t + "Opaque", sized | kGet, false});
    methods->push_back({"put" + t + "Opaque", sized | kSet, false});
    methods->push_back({"get" + t + "Volatile", sized | kGet | kModeAcquires, false});
    methods->push_back({"get" + t + "Acquire", sized | kGet | kModeAcquires, false});
    methods->push_back({"put" + t + "Volatile", sized | kSet | kModeReleases, false});
    methods->push_back({"put" + t + "Release", sized | kSet | kModeReleases, false});
    methods->push_back({"putOrdered" + t, sized | kSet | kModeReleases, false});
    methods->push_back({"compareAndSet" + t, sized | kExchange | kBoth, true});
    methods->push_back({"compareAndSwap" + t, sized | kExchange | kBoth, true});
    methods->push_back({"weakCompareAndSet" + t, sized | kExchange | kBoth, true});
    methods->push_back({"weakCompareAndSet" + t + "Plain", sized | kExchange, true});
    methods->push_back({"weakCompareAndSet" + t + "Acquire", sized | kExchange | kModeAcquires, true});
    methods->push_back({"weakCompareAndSet" + t + "Release", sized | kExchange | kModeReleases, true});
    methods->push_back({"compareAndExchange" + t, sized | kExchange | kBoth, false});
    methods->push_back({"compareAndExchange" + t + "Acquire", sized | kExchange | kModeAcquires, false});
    methods->push_back({"compareAndExchange" + t + "Release", sized | kExchange | kModeReleases, false});
    for (const char* operation :
         {"getAndSet", "getAndAdd", "getAndBitwiseOr", "getAndBitwiseAnd", "getAndBitwiseXor"}) {
      methods->push_back({operation + t, sized | kUpdate | kBoth, false});
      methods->push_back({operation + t + "Acquire", sized | kUpdate | kModeAcquires, false});
      methods->push_back({operation + t + "Release", sized | kUpdate | kModeReleases, false});
    }
  }
  return methods;
}

}  // namespace

std::span<const OffsetMethod> offset_methods() {
  static const std::vector<OffsetMethod>* const methods = make_offset_methods();
  return *methods;
}

std::span<const HandleMethod> handle_methods() { return kMethods; }

bool is_plain_access(std::string_view owner, std::string_view name) {
  if (owner == kVarHandle) return name == "get" || name == "set";
  if (owner != "jdk/internal/misc/Unsafe" && owner != "sun/misc/Unsafe") return false;
  const auto methods = offset_methods();
  return std::any_of(methods.begin(), methods.end(), [name](const OffsetMethod& method) {
    return (method.mode & kModePlain) != 0 && method.name == name;
  });
}

bool is_atomic_access(std::string_view owner, std::string_view name) {
  return owner == kVarHandle && !is_plain_access(owner, name) &&
         std::any_of(std::begin(kMethods), std::end(kMethods),
                     [name](const HandleMethod& method) { return method.name == name; });
}

}  // namespace deadheat::agent
