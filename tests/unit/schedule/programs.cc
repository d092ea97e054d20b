// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/schedule/programs.h"

#include <deque>

namespace deadheat::schedule {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;

std::string run_with(Strategy& strategy, const SchedulerOptions& options, DecisionLog& log,
                     const std::function<void(Actor&, std::string&)>& main) {
  std::string result;
  Simulation simulation(strategy, options);
  simulation.run([&](Actor& actor) { main(actor, result); });
  log = simulation.scheduler().log();
  const Outcome outcome = simulation.scheduler().outcome();
  return result + (outcome.program_ended ? " ended" : std::string(" ") + stop_reason_name(outcome.reason)) + " at " +
         std::to_string(outcome.virtual_time);
}

std::string monitors(Strategy& strategy, const SchedulerOptions& options, DecisionLog& log) {
  return run_with(strategy, options, log, [](Actor& main, std::string& result) {
    std::vector<ThreadIndex> children;
    for (char name = 'a'; name < 'd'; ++name) {
      children.push_back(main.start([name, &result](Actor& a) {
        for (int i = 0; i < 4; ++i) {
          a.lock(1);
          a.write(7);
          result += name;
          a.unlock(1);
        }
      }));
    }
    for (const ThreadIndex child : children) main.join(child);
  });
}

std::string bounded_queue(Strategy& strategy, const SchedulerOptions& options, DecisionLog& log) {
  return run_with(strategy, options, log, [](Actor& main, std::string& result) {
    std::deque<char> queue;
    std::vector<ThreadIndex> children;
    for (char name = 'a'; name < 'c'; ++name) {
      children.push_back(main.start([&queue, name](Actor& a) {
        for (int i = 0; i < 4; ++i) {
          a.lock(1);
          while (queue.size() == 2) a.wait(1);
          queue.push_back(name);
          a.notify_all(1);
          a.unlock(1);
        }
      }));
    }
    for (char name = 'x'; name < 'z'; ++name) {
      children.push_back(main.start([&queue, &result, name](Actor& a) {
        for (int i = 0; i < 4; ++i) {
          a.lock(1);
          while (queue.empty()) a.wait(1);
          result += {name, queue.front()};
          queue.pop_front();
          a.notify_all(1);
          a.unlock(1);
        }
      }));
    }
    for (const ThreadIndex child : children) main.join(child);
  });
}

// Which of the waiters a notify wakes shows in the result.
std::string notify_one_by_one(Strategy& strategy, const SchedulerOptions& options, DecisionLog& log) {
  return run_with(strategy, options, log, [](Actor& main, std::string& result) {
    int waiting = 0;
    std::vector<ThreadIndex> children;
    for (char name = 'a'; name < 'e'; ++name) {
      children.push_back(main.start([&, name](Actor& a) {
        a.lock(1);
        ++waiting;
        a.wait(1);
        result += name;
        a.unlock(1);
      }));
    }
    for (int woken = 0; woken < 4; ++woken) {
      while (true) {
        main.lock(1);
        if (waiting == 4) break;
        main.unlock(1);
        main.yield();
      }
      main.notify(1);
      main.unlock(1);
    }
    for (const ThreadIndex child : children) main.join(child);
  });
}

std::string timed_waits(Strategy& strategy, const SchedulerOptions& options, DecisionLog& log) {
  return run_with(strategy, options, log, [](Actor& main, std::string& result) {
    std::vector<ThreadIndex> children;
    for (int i = 1; i < 5; ++i) {
      children.push_back(main.start([i, &result](Actor& a) {
        a.lock(1);
        const Passage passage = a.wait(1, static_cast<std::uint64_t>(i) * 2 * kMillisecond);
        result += passage == Passage::kTimedOut ? "t" : "n";
        a.unlock(1);
        a.sleep(static_cast<std::uint64_t>(5 - i) * kMillisecond);
        a.write(9, 1 + static_cast<std::uint32_t>(i) % 2);
        result += std::to_string(i);
      }));
    }
    main.sleep(5 * kMillisecond);
    main.lock(1);
    main.notify(1);
    main.unlock(1);
    for (const ThreadIndex child : children) {
      while (main.join(child, kMillisecond) == Passage::kTimedOut) result += ".";
    }
  });
}

// A pool: daemon workers park when there is nothing to do, an idle one is unparked for each task.
std::string pool(Strategy& strategy, const SchedulerOptions& options, DecisionLog& log) {
  // The workers may still take a step when main is done with everything but its end.
  std::deque<int> tasks;
  int done = 0;
  return run_with(strategy, options, log, [&](Actor& main, std::string& result) {
    std::vector<ThreadIndex> workers;
    const ThreadIndex boss = main.self();
    for (char name = 'a'; name < 'd'; ++name) {
      workers.push_back(main.start(
          [&, name, boss](Actor& a) {
            while (true) {
              a.update(5);
              if (tasks.empty()) {
                a.park();
                continue;
              }
              const int task = tasks.front();
              tasks.pop_front();
              a.yield();
              result += name + std::to_string(task);
              if (++done == 6) a.unpark(boss);
            }
          },
          true));
    }
    for (int task = 0; task < 6; ++task) {
      main.update(5);
      tasks.push_back(task);
      main.unpark(workers[static_cast<std::size_t>(task) % workers.size()]);
    }
    while (done < 6) main.park();
  });
}

int sum(Actor& self, int from, int to) {
  if (to - from == 1) {
    self.read(100 + static_cast<std::uint64_t>(from));
    return from;
  }
  int left = 0;
  const int middle = (from + to) / 2;
  const ThreadIndex child = self.start([&left, from, middle](Actor& a) { left = sum(a, from, middle); });
  const int right = sum(self, middle, to);
  self.join(child);
  return left + right;
}

std::string fork_join(Strategy& strategy, const SchedulerOptions& options, DecisionLog& log) {
  return run_with(strategy, options, log,
                  [](Actor& main, std::string& result) { result = std::to_string(sum(main, 0, 8)); });
}

}  // namespace

const std::vector<SampleProgram>& sample_programs() {
  static const std::vector<SampleProgram> programs = {{"monitors", monitors},
                                                      {"bounded queue", bounded_queue},
                                                      {"notify one by one", notify_one_by_one},
                                                      {"timed waits", timed_waits},
                                                      {"pool", pool},
                                                      {"fork join", fork_join}};
  return programs;
}

}  // namespace deadheat::schedule
