// SPDX-License-Identifier: Apache-2.0
#include "report/race.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace deadheat::report {
namespace {

// "an int[]", "a byte[]".
std::string with_article(std::string_view noun) {
  const bool vowel = !noun.empty() && std::string_view("aeioAEIO").find(noun.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

std::string array_class(const Variable& variable) {
  return variable.class_name.empty() ? "array" : variable.class_name;
}

}  // namespace

std::string finding_name(const Race& race) {
  return race.detector.empty() ? "data race" : fmt::format("possible race ({})", race.detector);
}

std::string variable_name(const Variable& variable) {
  if (variable.kind == VariableKind::kArray) {
    std::string name = array_class(variable);
    if (name.ends_with("[]")) name.resize(name.size() - 2);
    return variable.index ? fmt::format("{}[{}]", name, *variable.index) : name + "[]";
  }
  if (variable.class_name.empty()) return variable.field.empty() ? "unknown variable" : variable.field;
  return variable.field.empty() ? variable.class_name : fmt::format("{}.{}", variable.class_name, variable.field);
}

std::string describe(const Variable& variable) {
  switch (variable.kind) {
    case VariableKind::kField:
      return "field " + variable_name(variable);
    case VariableKind::kStatic:
      return "static field " + variable_name(variable);
    case VariableKind::kArray:
      if (variable.index) return fmt::format("element {} of {}", *variable.index, with_article(array_class(variable)));
      return variable.class_name.empty() ? "an array element" : "an element of " + with_article(variable.class_name);
    case VariableKind::kUnknown:
      break;
  }
  return variable_name(variable);
}

std::string qualified_method(const Frame& frame) {
  return frame.class_name.empty() ? frame.method : fmt::format("{}.{}", frame.class_name, frame.method);
}

std::string source_position(const Frame& frame) {
  if (frame.file.empty()) return "unknown source";
  return frame.line > 0 ? fmt::format("{}:{}", frame.file, frame.line) : frame.file;
}

bool is_jdk_class(std::string_view class_name) {
  static constexpr std::array<std::string_view, 5> kPrefixes = {"java.", "javax.", "jdk.", "sun.", "com.sun."};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return class_name.starts_with(prefix); });
}

std::vector<const Frame*> further_places(const Race& race) {
  std::vector<const Frame*> further;
  for (const Frame& place : race.places) {
    const bool shown = std::any_of(race.accesses.begin(), race.accesses.end(), [&](const Access& access) {
      const Frame* frame = first_application_frame(access.stack);
      return frame != nullptr && *frame == place;
    });
    if (!shown) further.push_back(&place);
  }
  return further;
}

bool is_library_class(std::string_view class_name) {
  return is_jdk_class(class_name) || class_name.starts_with("kotlin.") ||
         (class_name.starts_with("scala.") && !class_name.starts_with("scala.concurrent."));
}

const Frame* first_application_frame(const Stack& stack) {
  auto found = std::find_if(stack.begin(), stack.end(), [](const Frame& f) { return !is_library_class(f.class_name); });
  return found == stack.end() ? nullptr : &*found;
}

}  // namespace deadheat::report
