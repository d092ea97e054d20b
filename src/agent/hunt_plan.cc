// SPDX-License-Identifier: Apache-2.0
#include "agent/hunt_plan.h"

#include <algorithm>
#include <utility>

namespace deadheat::agent {

namespace {

using classfile::CallRule;

constexpr std::string_view kHunt = "java/lang/DeadheatHunt";
constexpr std::string_view kOfLock = "(Ljava/lang/Object;I)V";

// Of java.util.concurrent.locks.Lock and StampedLock. Whose method it is the hook finds out: it may be called through
// the interface or through any class of the program's.
constexpr std::pair<std::string_view, std::string_view> kLockCalls[] = {
    {"lock", "()V"},
    {"lockInterruptibly", "()V"},
    {"tryLock", "(JLjava/util/concurrent/TimeUnit;)Z"},
    {"readLock", "()J"},
    {"writeLock", "()J"},
    {"readLockInterruptibly", "()J"},
    {"writeLockInterruptibly", "()J"},
};

void add_lock_calls(classfile::Plan& plan, bool gate) {
  for (const auto& [name, descriptor] : kLockCalls) {
    CallRule rule{"", name, descriptor, CallRule::Action::kAroundOperands, {}, {}};
    rule.values = 1;
    rule.sited_hook = {kHunt, "locking", kOfLock};
    if (gate) rule.sited_after = {kHunt, "locked", kOfLock};
    plan.add_call(rule);
  }
}

}  // namespace

bool is_lock_call(std::string_view name, std::string_view descriptor) {
  return std::any_of(std::begin(kLockCalls), std::end(kLockCalls),
                     [&](const auto& call) { return call.first == name && call.second == descriptor; });
}

void add_lock_gate(classfile::Plan& plan) {
  plan.lock_request = {kHunt, "requesting", kOfLock};
  plan.lock_acquired = {kHunt, "acquired", "()V"};
  add_lock_calls(plan, true);
}

classfile::Plan make_relations_plan() {
  classfile::Plan plan;
  plan.lock_request = {kHunt, "requesting", kOfLock};
  plan.caller_class = {"java/lang/DeadheatSync", "callerClass", "()Ljava/lang/Object;"};
  add_lock_calls(plan, false);
  return plan;
}

}  // namespace deadheat::agent
