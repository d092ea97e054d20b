// SPDX-License-Identifier: Apache-2.0
#include "agent/stack_tree.h"

namespace deadheat::agent {

std::size_t StackTree::Hash::operator()(const Node& node) const {
  std::uint64_t hash = node.caller;
  hash = (hash ^ node.frame.method) * 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 29) ^ node.frame.line) * 0xbf58476d1ce4e5b9;
  return hash ^ (hash >> 32);
}

std::optional<StackId> StackTree::intern(std::span<const StackFrame> frames) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::uint32_t at = 0;
  for (std::size_t i = frames.size(); i-- > 0;) {
    const Node node{at, frames[i]};
    const auto found = numbers_.find(node);
    if (found != numbers_.end()) {
      at = found->second;
      continue;
    }
    if (nodes_.size() >= most_) return std::nullopt;
    at = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node);
    numbers_.emplace(node, at);
  }
  return StackId{at};
}

std::vector<StackFrame> StackTree::frames(StackId stack) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<StackFrame> frames;
  for (auto at = static_cast<std::uint32_t>(stack); at != 0; at = nodes_[at].caller) frames.push_back(nodes_[at].frame);
  return frames;
}

std::size_t StackTree::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return nodes_.size() - 1;
}

}  // namespace deadheat::agent
