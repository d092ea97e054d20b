// SPDX-License-Identifier: Apache-2.0
#include "agent/access_modes.h"

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

}  // namespace

std::span<const HandleMethod> handle_methods() { return kMethods; }

}  // namespace deadheat::agent
