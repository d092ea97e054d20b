// SPDX-License-Identifier: Apache-2.0
//
// The may-trigger relation of DrFinder (Cai and Cao, FSE 2015, section 4.3): mt(f, c) says that method f was within
// `depth` methods of a request for a lock of type c. It is collected and looked up by the same rule: any of the
// innermost `depth` methods of a stack (the paper prints the look-up for the current method only; a thread that
// computes in a leaf would never be foreseen). Methods and types are names outside and numbers inside, so that a
// relation outlives its process. Not synchronised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace deadheat::schedule {

enum class MethodNumber : std::uint32_t {};
enum class LockType : std::uint32_t {};

class MayTrigger {
 public:
  static constexpr std::uint32_t kDefaultDepth = 12;

  explicit MayTrigger(std::uint32_t depth = kDefaultDepth) : depth_(depth) {}

  // The number of a name, the same for the life of this object. Names hold neither tabs nor line ends.
  MethodNumber method(std::string_view name);
  LockType type(std::string_view name);
  const std::string& name(MethodNumber method) const { return methods_.names[static_cast<std::uint32_t>(method)]; }
  const std::string& name(LockType type) const { return types_.names[static_cast<std::uint32_t>(type)]; }

  // A thread with this stack, innermost method first, requests a lock of this type (Algorithm 1, lines 13 to 16).
  // Returns how many relations are new.
  std::size_t learn(std::span<const MethodNumber> stack, LockType type);
  // One relation as it stands, whatever the depth.
  void add(MethodNumber method, LockType type) { relations_.insert(key(method, type)); }
  // Whether a thread with this stack may trigger a request for a lock of this type.
  bool may_trigger(std::span<const MethodNumber> stack, LockType type) const;

  std::uint32_t depth() const { return depth_; }
  std::size_t size() const { return relations_.size(); }
  std::vector<std::pair<MethodNumber, LockType>> all() const;

  // One relation a line, "method<tab>type", in no particular order. Lines that are no relation are counted, not taken.
  std::string text() const;
  std::size_t read(std::string_view text);

 private:
  struct Names {
    std::vector<std::string> names;
    std::unordered_map<std::string, std::uint32_t> numbers;
    std::uint32_t number_of(std::string_view name);
  };
  static std::uint64_t key(MethodNumber method, LockType type) {
    return std::uint64_t{static_cast<std::uint32_t>(method)} << 32 | static_cast<std::uint32_t>(type);
  }

  const std::uint32_t depth_;
  Names methods_;
  Names types_;
  std::unordered_set<std::uint64_t> relations_;
};

}  // namespace deadheat::schedule
