// SPDX-License-Identifier: Apache-2.0
//
// Which checks an earlier one already covers: the same variable (same reference by value number, same field or same
// index) checked before on every way to here, with nothing between that could start a new epoch of the thread (a call,
// a monitor operation, a write that may publish). A write covers later reads and writes, a read covers reads. Exact:
// the left-out check would have found its own thread's current epoch in the shadow word.
//
// A field of another class may be volatile, which is not known before it is resolved. Nothing covers a volatile access:
// it orders. So such a field is covered only if it turns out to be plain, and a write of it makes everything else
// uncovered.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace deadheat::classfile {

class Redundancy {
 public:
  // `object` and `index` are value numbers, `field` is a pool index for fields (object 0 for statics) and 0 for array
  // elements.
  struct Variable {
    std::uint32_t object = 0;
    std::uint32_t index = 0;
    std::uint16_t field = 0;
    bool operator==(const Variable&) const = default;
  };

 private:
  struct Access {
    Variable variable;
    bool write;
  };
  // Null: it is not covered.
  static auto* find(auto& seen, const Variable& variable) {
    const auto found =
        std::find_if(seen.begin(), seen.end(), [&](const Access& access) { return access.variable == variable; });
    return found == seen.end() ? nullptr : &*found;
  }

 public:
  bool empty() const { return seen_.empty(); }
  // Nothing is covered any more.
  void clear() { seen_.clear(); }
  void clear_all_but(const Variable& variable) {
    std::erase_if(seen_, [&](const Access& access) { return access.variable != variable; });
  }

  bool covers(const Variable& variable, bool write) const {
    const Access* access = find(seen_, variable);
    return access != nullptr && (access->write || !write);
  }
  // The access is checked.
  void add(const Variable& variable, bool write) {
    if (Access* access = find(seen_, variable)) {
      access->write = access->write || write;
    } else if (seen_.size() < kMost) {
      seen_.push_back({variable, write});
    }
  }
  // Two ways come together: what both cover.
  void meet(const Redundancy& other) {
    std::erase_if(seen_, [&](const Access& access) { return find(other.seen_, access.variable) == nullptr; });
    for (Access& access : seen_) access.write = access.write && find(other.seen_, access.variable)->write;
  }

 private:
  // Runs with more different variables than this are rare, and forgetting some only costs a check.
  static constexpr std::size_t kMost = 32;
  std::vector<Access> seen_;
};

}  // namespace deadheat::classfile
