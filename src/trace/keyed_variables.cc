// SPDX-License-Identifier: Apache-2.0
#include "trace/keyed_variables.h"

namespace deadheat::trace {

bool KeyedVariables::name_field(std::uint32_t number, std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  return fields_.try_emplace(number, Field{std::string(name.substr(0, dot)), std::string(name.substr(dot + 1))}).second;
}

std::string KeyedVariables::name_of(const AccessKey& key, bool is_element) const {
  const std::string object = "@" + std::to_string(key.object);
  if (is_element) return "array" + object + "[" + std::to_string(key.part) + "]";
  const auto field = fields_.find(key.part);
  if (field == fields_.end()) return "";
  return field->second.owner + (key.object == 0 ? "" : object) + "." + field->second.name;
}

std::uint32_t KeyedVariables::number(const AccessKey& key, bool is_element, Names& variables) {
  std::uint32_t& number = numbers_[std::uint64_t{key.object} << 32 | key.part];
  if (number != 0) return number;
  const std::uint32_t before = variables.size();
  const std::uint32_t named = variables.number(name_of(key, is_element));
  return number = variables.size() == before ? 0 : named;
}

}  // namespace deadheat::trace
