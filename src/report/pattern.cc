// SPDX-License-Identifier: Apache-2.0
#include "report/pattern.h"

namespace deadheat::report {

Pattern::Pattern(std::string_view text) {
  const bool from_start = text.starts_with('^');
  if (from_start) text.remove_prefix(1);
  const bool to_end = text.ends_with('$');
  if (to_end) text.remove_suffix(1);
  if (!from_start) glob_ += '*';
  glob_ += text;
  if (!to_end) glob_ += '*';
}

// Greedy with one point to come back to: the last '*', one character further each time.
bool Pattern::matches(std::string_view name) const {
  std::size_t at = 0, in_name = 0;
  std::size_t star = std::string::npos, star_in_name = 0;
  while (in_name < name.size()) {
    if (at < glob_.size() && glob_[at] == '*') {
      star = at++;
      star_in_name = in_name;
    } else if (at < glob_.size() && glob_[at] == name[in_name]) {
      ++at;
      ++in_name;
    } else if (star != std::string::npos) {
      at = star + 1;
      in_name = ++star_in_name;
    } else {
      return false;
    }
  }
  return glob_.find_first_not_of('*', at) == std::string::npos;
}

}  // namespace deadheat::report
