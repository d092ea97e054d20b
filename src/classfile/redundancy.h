// SPDX-License-Identifier: Apache-2.0
//
// Which checks an earlier one of the same straight run of code already covers: the same variable (same reference by
// value number, same field or same index) checked before, with nothing between that could start a new epoch of the
// thread (a call, a monitor operation, a write that may publish) and no other way into the run. A write covers later
// reads and writes, a read covers reads. Exact: the left-out check would have found its own thread's current epoch in
// the shadow word.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace deadheat::classfile {

class Redundancy {
 public:
  // A new run of code begins: nothing is covered.
  void clear() { seen_.clear(); }
  // Whether the access is covered; if not it is remembered as made. `object` and `index` are value numbers, `field` is
  // a pool index for fields (object 0 for statics) and 0 for array elements.
  bool covered(std::uint32_t object, std::uint32_t index, std::uint16_t field, bool write) {
    for (Access& access : seen_) {
      if (access.object != object || access.index != index || access.field != field) continue;
      if (access.write || !write) return true;
      access.write = true;
      return false;
    }
    if (seen_.size() < kMost) seen_.push_back({object, index, field, write});
    return false;
  }

 private:
  // Runs with more different variables than this are rare, and forgetting some only costs a check.
  static constexpr std::size_t kMost = 32;
  struct Access {
    std::uint32_t object;
    std::uint32_t index;
    std::uint16_t field;
    bool write;
  };
  std::vector<Access> seen_;
};

}  // namespace deadheat::classfile
