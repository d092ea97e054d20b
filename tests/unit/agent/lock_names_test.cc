// SPDX-License-Identifier: Apache-2.0
#include "agent/lock_names.h"

#include <gtest/gtest.h>

#include "agent/hunt_plan.h"
#include "agent/watch_list.h"

namespace deadheat::agent {
namespace {

TEST(LockNames, TheClassOfTheLock) {
  EXPECT_EQ(lock_type_name("bank.Account", false, "bank/Bank"), "bank.Account");
  EXPECT_EQ(lock_type_name("java.util.Vector", false, "java/util/Vector"), "java.util.Vector");
}

TEST(LockNames, AClassObjectIsTheClassItStandsFor) {
  EXPECT_EQ(lock_type_name("bank.Account", true, "bank/Account"), "class bank.Account");
  EXPECT_EQ(lock_type_name("java.lang.Object", true, "bank/Account"), "class java.lang.Object");
}

TEST(LockNames, ALockThatSaysNothingIsNamedByWhoAsks) {
  EXPECT_EQ(lock_type_name("java.lang.Object", false, "bank/Bank$1$Inner"), "java.lang.Object in bank.Bank");
  EXPECT_EQ(lock_type_name("byte[]", false, "Bank"), "byte[] in Bank");
  EXPECT_EQ(lock_type_name("java.util.concurrent.locks.ReentrantLock", false, "bank/Bank"),
            "java.util.concurrent.locks.ReentrantLock in bank.Bank");
  EXPECT_EQ(lock_type_name("java.lang.Object", false, "bank/$Odd"), "java.lang.Object in bank.$Odd");
}

TEST(LockNames, BothViewsOfAReadWriteLockAreOne) {
  const auto name = [](const char* view) {
    return lock_type_name(std::string("java.util.concurrent.locks.ReentrantReadWriteLock$") + view, false, "a/B");
  };
  EXPECT_EQ(name("ReadLock"), "java.util.concurrent.locks.ReentrantReadWriteLock in a.B");
  EXPECT_EQ(name("ReadLock"), name("WriteLock"));
}

TEST(LockRequests, AreToldWhereTheyOrderTheProgram) {
  EXPECT_TRUE(WatchList::gates_locks("bank/Bank", false));
  EXPECT_TRUE(WatchList::gates_locks("java/util/Collections$SynchronizedMap", true));
  EXPECT_TRUE(WatchList::gates_locks("java/util/concurrent/LinkedBlockingQueue", true));
  EXPECT_FALSE(WatchList::gates_locks("java/util/concurrent/locks/ReentrantLock", true));
  EXPECT_FALSE(WatchList::gates_locks("java/util/zip/ZipFile", true));
  EXPECT_FALSE(WatchList::gates_locks("java/lang/ClassLoader", true));
  EXPECT_TRUE(is_lock_call("lock", "()V"));
  EXPECT_TRUE(is_lock_call("writeLock", "()J"));
  EXPECT_FALSE(is_lock_call("writeLock", "()Ljava/util/concurrent/locks/Lock;"));
  EXPECT_TRUE(is_lock_call("unlock", "()V"));
  EXPECT_FALSE(is_lock_call("unlock", "()Z"));
}

}  // namespace
}  // namespace deadheat::agent
