// SPDX-License-Identifier: Apache-2.0
#include "agent/leaf_calls.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace deadheat::agent {

namespace {

// Final classes without a method that calls out. (Number is not among them: it has subclasses everywhere.)
constexpr std::string_view kLeafClasses[] = {
    "java/lang/Math", "java/lang/StrictMath", "java/lang/Integer", "java/lang/Long",  "java/lang/Short",
    "java/lang/Byte", "java/lang/Character",  "java/lang/Boolean", "java/lang/Float", "java/lang/Double",
};

struct Method {
  std::string_view owner;
  std::string_view name;
};
constexpr Method kLeafMethods[] = {
    {"java/lang/Object", "<init>"},          {"java/lang/Object", "getClass"},
    {"java/lang/Object", "notify"},          {"java/lang/Object", "notifyAll"},
    {"java/lang/System", "nanoTime"},        {"java/lang/System", "currentTimeMillis"},
    {"java/lang/System", "arraycopy"},       {"java/lang/System", "identityHashCode"},
    {"java/lang/Thread", "currentThread"},   {"java/lang/Thread", "onSpinWait"},
    {"java/lang/Enum", "ordinal"},           {"java/lang/Enum", "name"},
    {"java/util/Objects", "requireNonNull"}, {"java/util/Objects", "checkIndex"},
};

constexpr std::string_view kQuietOfStrings[] = {
    "charAt", "length", "isEmpty", "equals", "hashCode", "compareTo", "startsWith", "endsWith", "indexOf", "substring",
};

// Whether every parameter is a primitive, an array of primitives or a String: nothing that could be called back.
bool takes_plain_values(std::string_view descriptor) {
  std::size_t at = 1;
  while (at < descriptor.size() && descriptor[at] != ')') {
    if (descriptor[at] == 'L') {
      constexpr std::string_view kString = "Ljava/lang/String;";
      if (!descriptor.substr(at).starts_with(kString)) return false;
      at += kString.size();
    } else {
      ++at;
    }
  }
  return true;
}

}  // namespace

bool is_leaf_call(const classfile::MemberRef& method) {
  if (method.owner.starts_with('[')) return true;  // clone()
  if (std::find(std::begin(kLeafClasses), std::end(kLeafClasses), method.owner) != std::end(kLeafClasses)) {
    // Character.toChars and the like take values only; what takes a CharSequence or a supplier does not.
    return takes_plain_values(method.descriptor) || method.name == "equals" || method.name == "compareTo";
  }
  if (method.owner == "java/lang/String") return takes_plain_values(method.descriptor) || method.name == "equals";
  if (method.name == "requireNonNull") {
    return method.owner == "java/util/Objects" && method.descriptor.find("Supplier") == std::string_view::npos;
  }
  return std::any_of(std::begin(kLeafMethods), std::end(kLeafMethods),
                     [&](const Method& leaf) { return leaf.owner == method.owner && leaf.name == method.name; });
}

bool is_quiet_call(const classfile::MemberRef& method) {
  if (method.owner == "java/lang/String") {
    return std::find(std::begin(kQuietOfStrings), std::end(kQuietOfStrings), method.name) != std::end(kQuietOfStrings);
  }
  // Numbers from and to numbers: nothing that reads a property, a text or a cache of texts.
  if (std::find(std::begin(kLeafClasses), std::end(kLeafClasses), method.owner) == std::end(kLeafClasses)) return false;
  const std::size_t result = method.descriptor.find(')') + 1;
  const std::string_view parameters = method.descriptor.substr(0, result);
  const bool boxes = method.name == "valueOf";
  return parameters.find_first_of("L[") == std::string_view::npos && (boxes || method.descriptor[result] != 'L') &&
         method.descriptor[result] != '[' && method.name != "random" && method.name != "<init>";
}

}  // namespace deadheat::agent
