// SPDX-License-Identifier: Apache-2.0
#include "trace/location.h"

#include <algorithm>
#include <charconv>

namespace deadheat::trace {
namespace {

// "a/b/C.m(I)V@7" into class and method; false: it is no such thing.
bool take_site(std::string_view site, Location& location) {
  const std::size_t open = site.find('(');
  const std::size_t at = site.rfind('@');
  if (open == std::string_view::npos || at == std::string_view::npos || at < open) return false;
  const std::size_t dot = site.substr(0, open).rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  location.class_name = site.substr(0, dot);
  std::replace(location.class_name.begin(), location.class_name.end(), '/', '.');
  location.method = site.substr(dot + 1, open - dot - 1);
  location.site = site;
  return true;
}

}  // namespace

bool is_order_mark(std::string_view sync) {
  for (const std::string_view prefix : {"order@", "past:", "condition@", "unseen@", "version@"}) {
    if (sync.starts_with(prefix)) return true;
  }
  return false;
}

bool is_condition_mark(std::string_view sync) { return sync.starts_with("condition@"); }

bool is_jdk_site(std::string_view site) {
  for (const std::string_view prefix : {"java/", "jdk/", "sun/", "javax/", "com/sun/"}) {
    if (site.starts_with(prefix)) return true;
  }
  return false;
}

Location parse_location(std::string_view text) {
  Location location;
  location.text = text;
  const std::size_t before_line = text.rfind(':');
  if (before_line == std::string_view::npos) return location;
  const std::size_t before_file = text.substr(0, before_line).rfind(':');
  if (before_file == std::string_view::npos) return location;
  int line = 0;
  const std::string_view digits = text.substr(before_line + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (error != std::errc() || end != digits.data() + digits.size() || line < 0) return location;
  if (!take_site(text.substr(0, before_file), location)) return location;
  location.file = text.substr(before_file + 1, before_line - before_file - 1);
  location.line = line;
  return location;
}

std::string source_line_key(const Location& location) {
  if (location.line == 0 || location.file.empty()) return location.text;
  const std::string package = location.class_name.substr(0, location.class_name.rfind('.') + 1);
  return package + location.file + ":" + std::to_string(location.line);
}

}  // namespace deadheat::trace
