// SPDX-License-Identifier: Apache-2.0
//
// What was decided in one run: who made each step, as runs of one thread; what kind of operation at which site each
// step was, so that a replay can be checked step by step; and which waiter each notify woke. Threads are known by their
// stable names. Plain data that only grows; one writer. decision_log_file.h reads and writes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/number_map.h"
#include "schedule/operation.h"

namespace deadheat::schedule {

// The part of a step that is the same in every run of the same schedule.
struct Shape {
  OperationKind kind;
  model::SiteId site;
  bool operator==(const Shape&) const = default;
};

class DecisionLog {
 public:
  struct Run {
    std::uint32_t thread;  // index into names()
    std::uint64_t steps;
    bool operator==(const Run&) const = default;
  };
  struct Choice {
    std::uint32_t thread;  // who notified
    std::uint64_t index;   // its steps before
    std::uint32_t of;
    std::uint32_t picked;
    bool operator==(const Choice&) const = default;
  };

  void add_thread(const std::string& name) { names_.push_back(name); }
  void add_step(ThreadIndex thread, Shape shape);
  void add_choice(const Choice& choice) { choices_.push_back(choice); }
  // The strategy asked for a jump of time before the next step.
  void add_jump() { jumps_.push_back(steps_); }
  // The run went to its end: a replay that wants to go on after the last step has diverged.
  void set_complete(bool complete) { complete_ = complete; }

  std::uint64_t steps() const { return steps_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Run>& runs() const { return runs_; }
  const std::vector<Shape>& shapes() const { return shapes_; }  // those of the steps, each once
  const std::vector<Choice>& choices() const { return choices_; }
  const std::vector<std::uint64_t>& jumps() const { return jumps_; }  // steps made before each, ascending
  // What it takes in memory, about.
  std::size_t size_in_bytes() const { return shape_bytes_.size() + runs_.size() * sizeof(Run); }
  bool complete() const { return complete_; }
  std::uint64_t switches() const { return runs_.empty() ? 0 : runs_.size() - 1; }

  bool operator==(const DecisionLog& other) const {
    return names_ == other.names_ && runs_ == other.runs_ && choices_ == other.choices_ && jumps_ == other.jumps_ &&
           shapes_ == other.shapes_ && shape_bytes_ == other.shape_bytes_ && complete_ == other.complete_;
  }

  // Walks the steps in order.
  class Cursor {
   public:
    explicit Cursor(const DecisionLog& log) : log_(&log) {}
    bool at_end() const { return step_ == log_->steps_; }
    std::uint64_t step() const { return step_; }
    std::uint32_t thread() const { return log_->runs_[run_].thread; }
    Shape shape() const;
    void advance();

   private:
    const DecisionLog* log_;
    std::uint64_t step_ = 0;
    std::size_t run_ = 0;
    std::uint64_t in_run_ = 0;
    std::size_t byte_ = 0;
  };

 private:
  friend class DecisionLogCodec;

  std::uint64_t steps_ = 0;
  bool complete_ = false;
  std::vector<std::string> names_;  // by thread index
  std::vector<Run> runs_;           // neighbours differ in their thread
  std::vector<Choice> choices_;     // in order
  std::vector<std::uint64_t> jumps_;
  std::vector<Shape> shapes_;  // each once, in order of first use
  // One number into shapes_ a step, seven bits a byte, low first, high bit: more follows.
  std::vector<std::uint8_t> shape_bytes_;
  NumberMap<std::uint32_t> shape_numbers_;  // index in shapes_ + 1
};

}  // namespace deadheat::schedule
