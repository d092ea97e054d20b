// SPDX-License-Identifier: Apache-2.0
#include "classfile/line_table.h"

#include <algorithm>

namespace deadheat::classfile {

LineTable LineTable::of(const ClassFile& cls, const Member& method) {
  LineTable table;
  const Attribute* code = cls.find(method.attributes, "Code");
  if (code == nullptr) return table;
  ByteReader in(code->bytes);
  in.skip(4);  // max_stack, max_locals
  in.skip(in.u4());
  in.skip(std::size_t{in.u2()} * 8);  // exception table
  const std::uint16_t attributes = in.u2();
  for (std::uint16_t i = 0; i < attributes && !in.failed(); ++i) {
    const std::uint16_t name = in.u2();
    ByteReader body(in.take(in.u4()));
    if (cls.pool.utf8(name) != "LineNumberTable") continue;
    const std::uint16_t count = body.u2();
    for (std::uint16_t k = 0; k < count; ++k) {
      const std::uint16_t start = body.u2();
      const std::uint16_t line = body.u2();
      if (!body.failed()) table.entries_.push_back({start, line});
    }
  }
  std::stable_sort(table.entries_.begin(), table.entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.start < b.start; });
  return table;
}

std::uint16_t LineTable::line_at(std::uint32_t bytecode_index) const {
  auto after = std::upper_bound(entries_.begin(), entries_.end(), bytecode_index,
                                [](std::uint32_t index, const Entry& entry) { return index < entry.start; });
  return after == entries_.begin() ? 0 : std::prev(after)->line;
}

}  // namespace deadheat::classfile
