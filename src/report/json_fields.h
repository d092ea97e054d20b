// SPDX-License-Identifier: Apache-2.0
//
// Lenient reading of a JSON object's members: a missing member or one of another type yields the given fallback, never
// an exception. For records that another process, or another version, wrote.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace deadheat::report {

// The member, or a null value that lives for ever.
inline const nlohmann::json& member(const nlohmann::json& object, const char* name) {
  static const nlohmann::json kNothing;
  if (!object.is_object()) return kNothing;
  auto found = object.find(name);
  return found == object.end() ? kNothing : *found;
}

inline std::string text_member(const nlohmann::json& object, const char* name) {
  const nlohmann::json& value = member(object, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

inline std::int64_t int_member(const nlohmann::json& object, const char* name, std::int64_t fallback = 0) {
  const nlohmann::json& value = member(object, name);
  return value.is_number_integer() ? value.get<std::int64_t>() : fallback;
}

// What cannot be below zero; 0 when it is.
inline std::uint64_t count_member(const nlohmann::json& object, const char* name) {
  const std::int64_t number = int_member(object, name);
  return number < 0 ? 0 : static_cast<std::uint64_t>(number);
}

// The texts of a list, without whatever else is in it.
inline std::vector<std::string> texts_member(const nlohmann::json& object, const char* name) {
  std::vector<std::string> texts;
  const nlohmann::json& list = member(object, name);
  if (!list.is_array()) return texts;
  for (const nlohmann::json& text : list) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

inline bool bool_member(const nlohmann::json& object, const char* name, bool fallback) {
  const nlohmann::json& value = member(object, name);
  return value.is_boolean() ? value.get<bool>() : fallback;
}

// The text of a JSON value, one line or indented. Bytes that are no UTF-8 (a command line may hold any) are replaced.
inline std::string json_text(const nlohmann::json& value, int indent = -1) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace deadheat::report
