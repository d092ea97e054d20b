// SPDX-License-Identifier: Apache-2.0
#include "classfile/redundancy_flow.h"

namespace deadheat::classfile {

RedundancyFlow::RedundancyFlow(const Code& code) : entries_(code.original_count() + 1, Entry::kFromAbove) {
  const auto index_of = [&](Label label) { return static_cast<std::uint32_t>(code.instruction_at(label)); };
  for (const InsnId at : code.originals()) {
    const Instruction& instruction = code.at(at);
    const auto from = static_cast<std::uint32_t>(at);
    if (is_jump(instruction.opcode)) {
      add_jump(from, index_of(instruction.target()));
    } else if (is_switch(instruction.opcode)) {
      add_jump(from, index_of(code.switch_of(at).fallback));
      for (const Label target : code.switch_of(at).targets) add_jump(from, index_of(target));
    }
  }
  for (const Handler& handler : code.handlers()) entries_[index_of(handler.handler)] = Entry::kNothing;
}

void RedundancyFlow::add_jump(std::uint32_t from, std::uint32_t to) {
  if (to <= from) {
    entries_[to] = Entry::kNothing;
    return;
  }
  jumps_.push_back({from, to});
  if (entries_[to] == Entry::kFromAbove) entries_[to] = Entry::kJumped;
}

void RedundancyFlow::enter(InsnId at, bool falls_in, Redundancy& covered) {
  const auto here = static_cast<std::uint32_t>(at);
  if (entries_[here] == Entry::kNothing) covered.clear();
  if (entries_[here] != Entry::kJumped) return;
  const auto coming = coming_.find(here);
  if (coming == coming_.end()) {
    if (!falls_in) covered.clear();
    return;  // only code that never runs jumps here
  }
  if (falls_in) {
    covered.meet(coming->second);
  } else {
    covered = std::move(coming->second);
  }
  coming_.erase(coming);
}

void RedundancyFlow::leave(InsnId at, const Redundancy& covered) {
  const auto here = static_cast<std::uint32_t>(at);
  while (next_ < jumps_.size() && jumps_[next_].from < here) ++next_;  // of code that never runs
  for (; next_ < jumps_.size() && jumps_[next_].from == here; ++next_) {
    const std::uint32_t to = jumps_[next_].to;
    if (entries_[to] == Entry::kNothing) continue;
    const auto [coming, first] = coming_.try_emplace(to, covered);
    if (!first) coming->second.meet(covered);
  }
}

}  // namespace deadheat::classfile
