// SPDX-License-Identifier: Apache-2.0
#include "cli/state_folder.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

#include "tests/unit/report/scratch_folder.h"

namespace deadheat::cli {
namespace {

namespace fs = std::filesystem;

TEST(StateFolder, FoundUpwards) {
  ScratchFolder scratch;
  fs::create_directories(scratch.path() / "a/b/c");
  EXPECT_FALSE(StateFolder::find({}, scratch.path() / "a/b/c").ok());
  fs::create_directory(scratch.path() / "a/.deadheat");
  Result<StateFolder> state = StateFolder::find_or_create({}, scratch.path() / "a/b/c");
  ASSERT_TRUE(state.ok());
  EXPECT_EQ(state.value().path(), scratch.path() / "a/.deadheat");
  EXPECT_FALSE(fs::exists(scratch.path() / "a/.deadheat/.gitignore")) << "not made by us, not ours to change";
}

TEST(StateFolder, NumbersGoOn) {
  ScratchFolder scratch;
  Result<StateFolder> state = StateFolder::find_or_create({}, scratch.path());
  ASSERT_TRUE(state.ok());
  EXPECT_EQ(state.value().create_run().value().number, 1u);
  fs::create_directory(state.value().path() / "runs/41");
  fs::create_directory(state.value().path() / "runs/by-hand");
  fs::create_directory(state.value().path() / "runs/99x");
  EXPECT_EQ(state.value().create_run().value().number, 42u);
  EXPECT_TRUE(state.value().existing_run(41).ok());
  EXPECT_FALSE(state.value().existing_run(40).ok());
}

TEST(StateFolder, RunsMadeAtOnceAreDifferent) {
  ScratchFolder scratch;
  Result<StateFolder> state = StateFolder::find_or_create(scratch.path() / "state", scratch.path());
  ASSERT_TRUE(state.ok());
  constexpr int kThreads = 4, kRuns = 25;
  std::vector<std::vector<std::uint32_t>> numbers(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < kRuns; ++n) numbers[i].push_back(state.value().create_run().value().number);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::uint32_t> all;
  for (const auto& list : numbers) all.insert(list.begin(), list.end());
  EXPECT_EQ(all.size(), kThreads * kRuns);
}

TEST(StateFolder, FileInTheWay) {
  ScratchFolder scratch;
  scratch.write("file", "");
  Result<StateFolder> state = StateFolder::find_or_create(scratch.path() / "file", scratch.path());
  ASSERT_FALSE(state.ok());
  EXPECT_NE(state.error().message.find("--state DIR"), std::string::npos);
}

}  // namespace
}  // namespace deadheat::cli
