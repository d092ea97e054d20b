// SPDX-License-Identifier: Apache-2.0
#include "classfile/type_annotation.h"

namespace deadheat::classfile {
namespace {

// Annotations nest inside annotations; real ones a few levels deep. The limit keeps hostile input off our stack.
constexpr int kMaxDepth = 64;

void skip_annotation(ByteReader& in, int depth);

void skip_element(ByteReader& in, int depth) {
  if (depth > kMaxDepth) return in.fail();
  switch (in.u1()) {
    case 'e':
      return in.skip(4);
    case '@':
      return skip_annotation(in, depth + 1);
    case '[': {
      std::uint32_t count = in.u2();
      for (std::uint32_t i = 0; i < count && !in.failed(); ++i) skip_element(in, depth + 1);
      return;
    }
    default:
      return in.skip(2);
  }
}

void skip_annotation(ByteReader& in, int depth) {
  in.skip(2);
  std::uint32_t pairs = in.u2();
  for (std::uint32_t i = 0; i < pairs && !in.failed(); ++i) {
    in.skip(2);
    skip_element(in, depth);
  }
}

}  // namespace

AnnotationTarget target_of(std::uint8_t target_type) {
  if (target_type == 0x40 || target_type == 0x41) return AnnotationTarget::kVariable;
  if (target_type == 0x42) return AnnotationTarget::kHandler;
  if (target_type >= 0x43 && target_type <= 0x46) return AnnotationTarget::kInstruction;
  if (target_type >= 0x47 && target_type <= 0x4b) return AnnotationTarget::kTypeArgument;
  return AnnotationTarget::kNotInCode;
}

ByteSpan take_path_and_annotation(ByteReader& in) {
  ByteReader ahead = in;
  ahead.skip(2 * std::size_t{ahead.u1()});
  skip_annotation(ahead, 0);
  if (ahead.failed()) {
    in.fail();
    return {};
  }
  return in.take(ahead.position() - in.position());
}

}  // namespace deadheat::classfile
