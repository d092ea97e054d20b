// SPDX-License-Identifier: Apache-2.0
#include "classfile/descriptor.h"

namespace deadheat::classfile {
namespace {

// The length of the field descriptor at the start of the text, 0 if there is none.
std::size_t field_length(std::string_view text) {
  std::size_t dimensions = 0;
  while (dimensions < text.size() && text[dimensions] == '[') ++dimensions;
  if (dimensions > 255 || dimensions == text.size()) return 0;
  switch (text[dimensions]) {
    case 'B':
    case 'C':
    case 'D':
    case 'F':
    case 'I':
    case 'J':
    case 'S':
    case 'Z':
      return dimensions + 1;
    case 'L': {
      std::size_t end = text.find(';', dimensions);
      return end == std::string_view::npos || end == dimensions + 1 ? 0 : end + 1;
    }
    default:
      return 0;
  }
}

}  // namespace

Kind kind_of(char first) {
  switch (first) {
    case 'V':
      return Kind::kVoid;
    case 'F':
      return Kind::kFloat;
    case 'J':
      return Kind::kLong;
    case 'D':
      return Kind::kDouble;
    case 'L':
    case '[':
      return Kind::kReference;
    default:
      return Kind::kInt;
  }
}

std::optional<Kind> field_kind(std::string_view descriptor) {
  std::size_t length = field_length(descriptor);
  if (length == 0 || length != descriptor.size()) return std::nullopt;
  return kind_of(descriptor[0]);
}

Parameters::Parameters(std::string_view method_descriptor) : rest_(method_descriptor) {
  if (rest_.empty() || rest_[0] != '(') {
    failed_ = true;
  } else {
    rest_.remove_prefix(1);
  }
}

std::optional<std::string_view> Parameters::next() {
  if (failed_ || done_) return std::nullopt;
  if (!rest_.empty() && rest_[0] == ')') {
    rest_.remove_prefix(1);
    done_ = true;
    return std::nullopt;
  }
  std::size_t length = field_length(rest_);
  if (length == 0) {
    failed_ = true;
    return std::nullopt;
  }
  std::string_view type = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return type;
}

std::optional<MethodShape> method_shape(std::string_view descriptor) {
  MethodShape shape;
  Parameters parameters(descriptor);
  while (std::optional<std::string_view> type = parameters.next()) {
    shape.parameter_slots += slots_of(kind_of((*type)[0]));
  }
  if (parameters.failed() || shape.parameter_slots > 255) return std::nullopt;
  shape.return_type = parameters.rest();
  if (shape.return_type == "V") return shape;
  std::optional<Kind> kind = field_kind(shape.return_type);
  if (!kind) return std::nullopt;
  shape.return_kind = *kind;
  return shape;
}

}  // namespace deadheat::classfile
