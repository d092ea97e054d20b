// SPDX-License-Identifier: Apache-2.0
//
// Call stacks that share their outer frames: a tree whose nodes are frames, each below its caller. A stack is the
// number of its innermost frame. Stacks are never dropped; beyond `most` nodes none is added. Any thread may call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace deadheat::agent {

struct StackFrame {
  std::uint32_t method = 0;  // the stack walker's number
  std::uint32_t line = 0;    // 0: not known
  friend bool operator==(const StackFrame&, const StackFrame&) = default;
};

enum class StackId : std::uint32_t {};  // 0 is the empty stack

class StackTree {
 public:
  explicit StackTree(std::size_t most = 1u << 22) : most_(most) {}

  // Innermost frame first. Nothing when there is no room for it.
  std::optional<StackId> intern(std::span<const StackFrame> frames);
  std::vector<StackFrame> frames(StackId stack) const;
  std::size_t size() const;

 private:
  struct Node {
    std::uint32_t caller;
    StackFrame frame;
    friend bool operator==(const Node&, const Node&) = default;
  };
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::vector<Node> nodes_{Node{}};  // [0]: what the outermost frames hang on
  std::unordered_map<Node, std::uint32_t, Hash> numbers_;
};

}  // namespace deadheat::agent
