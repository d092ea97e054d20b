// SPDX-License-Identifier: Apache-2.0
#include "agent/lock_table.h"

#include <gtest/gtest.h>

#include "agent/class_table.h"
#include "agent/history_layout.h"

namespace deadheat::agent {
namespace {

TEST(LockTable, CallsALockByTheClassAroundItsSynchroniser) {
  EXPECT_EQ(lock_of_synchroniser("java.util.concurrent.locks.ReentrantLock$NonfairSync"),
            "java.util.concurrent.locks.ReentrantLock");
  EXPECT_EQ(lock_of_synchroniser("bank.Gate"), "bank.Gate");
  EXPECT_FALSE(lock_of_synchroniser("java.util.concurrent.ThreadPoolExecutor$Worker"));
}

TEST(LockTable, NumbersLocksOfAClass) {
  const SiteTable sites;
  LockTable locks(sites);
  const std::uint64_t first = locks.add("bank.Gate$Sync");
  const std::uint64_t other = locks.add("bank.Door$Sync");
  const std::uint64_t second = locks.add("bank.Gate$Sync");
  EXPECT_EQ(locks.describe(first), "bank.Gate #1");
  EXPECT_EQ(locks.describe(second), "bank.Gate #2");
  EXPECT_EQ(locks.describe(other), "bank.Door #1");
  EXPECT_EQ(locks.add("java.util.concurrent.ThreadPoolExecutor$Worker"), kLockWithoutName);
}

TEST(LockTable, CallsAMonitorByThePlaceWhereItWasEntered) {
  ClassInfo info;
  info.name = "bank/Bank";
  info.source = "Bank.java";
  info.methods.push_back({"transfer", "()V"});
  SiteTable sites;
  Site site;
  site.in = &info;
  site.line = 17;
  const std::uint32_t number = sites.add(site);
  const LockTable locks(sites);
  EXPECT_EQ(locks.describe(number), "monitor entered at bank.Bank.transfer (Bank.java:17)");
  EXPECT_EQ(locks.describe(0), "monitor entered in native code or at an unknown place");
}

}  // namespace
}  // namespace deadheat::agent
