// SPDX-License-Identifier: Apache-2.0
//
// Internal to classfile: the layout of type annotations inside code (JVMS 4.7.20), as far as moving them needs it.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace deadheat::classfile {

enum class AnnotationTarget : std::uint8_t {
  kVariable,      // ranges of a local variable
  kHandler,       // an index into the exception table
  kInstruction,   // an offset
  kTypeArgument,  // an offset and the argument's position
  kNotInCode,
};

AnnotationTarget target_of(std::uint8_t target_type);

// Steps over the type path and the annotation behind the target, and returns their bytes; malformed input fails the
// reader.
ByteSpan take_path_and_annotation(ByteReader& in);

}  // namespace deadheat::classfile
