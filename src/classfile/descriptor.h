// SPDX-License-Identifier: Apache-2.0
//
// Field and method descriptors (JVMS 4.3), read without allocation. Malformed text yields nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace deadheat::classfile {

// What the verifier and the operand stack tell apart: boolean, byte, char and short are kInt there.
enum class Kind : std::uint8_t { kVoid, kInt, kFloat, kLong, kDouble, kReference };

constexpr std::uint32_t slots_of(Kind kind) {
  if (kind == Kind::kVoid) return 0;
  return kind == Kind::kLong || kind == Kind::kDouble ? 2 : 1;
}

// The kind of a whole field descriptor; nothing for "V" and for malformed text.
std::optional<Kind> field_kind(std::string_view descriptor);

// The kind named by a descriptor's first character, for text already known to be well-formed.
Kind kind_of(char first);

// Walks the parameters of a method descriptor: while (auto type = parameters.next()) use(*type);
class Parameters {
 public:
  explicit Parameters(std::string_view method_descriptor);
  // The next parameter's field descriptor; nothing at the end and where the text is malformed (then failed()).
  std::optional<std::string_view> next();
  bool failed() const { return failed_; }
  // What follows ')', once next() has answered with nothing and not failed().
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
  bool done_ = false;
};

struct MethodShape {
  std::uint32_t parameter_slots = 0;  // without `this`
  Kind return_kind = Kind::kVoid;
  std::string_view return_type;  // its descriptor
};

std::optional<MethodShape> method_shape(std::string_view descriptor);

}  // namespace deadheat::classfile
