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

constexpr std::pair<std::string_view, std::string_view> kUnlockCalls[] = {
    {"unlock", "()V"},
    {"unlock", "(J)V"},
    {"unlockRead", "(J)V"},
    {"unlockWrite", "(J)V"},
};

CallRule rule_of(const std::pair<std::string_view, std::string_view>& call) {
  CallRule rule{"", call.first, call.second, CallRule::Action::kAroundOperands, {}, {}};
  rule.values = 1;
  return rule;
}

void add_lock_calls(classfile::Plan& plan) {
  for (const auto& call : kLockCalls) {
    CallRule rule = rule_of(call);
    rule.sited_hook = {kHunt, "locking", kOfLock};
    plan.add_call(rule);
  }
}

bool any_call(const auto& calls, std::string_view name, std::string_view descriptor) {
  return std::any_of(std::begin(calls), std::end(calls),
                     [&](const auto& call) { return call.first == name && call.second == descriptor; });
}

}  // namespace

bool is_lock_call(std::string_view name, std::string_view descriptor) {
  return any_call(kLockCalls, name, descriptor) || any_call(kUnlockCalls, name, descriptor);
}

void add_lock_gate(classfile::Plan& plan) {
  plan.lock_request = {kHunt, "requesting", kOfLock};
  plan.lock_acquired = {kHunt, "acquired", "()V"};
  add_lock_calls(plan);
  for (const auto& call : kUnlockCalls) {
    CallRule rule = rule_of(call);
    rule.sited_after = {kHunt, "unlocked", kOfLock};
    plan.add_call(rule);
  }
}

classfile::Plan make_relations_plan() {
  classfile::Plan plan;
  plan.lock_request = {kHunt, "requesting", kOfLock};
  plan.caller_class = {"java/lang/DeadheatSync", "callerClass", "()Ljava/lang/Object;"};
  add_lock_calls(plan);
  return plan;
}

}  // namespace deadheat::agent
