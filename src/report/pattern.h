// SPDX-License-Identifier: Apache-2.0
//
// A name pattern in ThreadSanitizer's syntax: it fits anywhere in the name, '*' stands for any text, '^' in front and
// '$' behind tie it to the ends. Elsewhere '$' is itself, since Java names inner classes with it.
#pragma once

#include <string>
#include <string_view>

namespace deadheat::report {

class Pattern {
 public:
  explicit Pattern(std::string_view text);
  bool matches(std::string_view name) const;

 private:
  std::string glob_;  // tied to both ends; only '*' is special
};

}  // namespace deadheat::report
