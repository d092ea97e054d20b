// SPDX-License-Identifier: Apache-2.0
#include "classfile/instrumenter.h"

#include "classfile/code.h"
#include "classfile/method_editor.h"

namespace deadheat::classfile {

namespace {

// HotSpot's HugeMethodLimit: a method above it is never compiled.
constexpr std::uint32_t kHugeMethod = 8000;

std::uint32_t code_length(const ClassFile& cls, const Member& method) {
  ByteReader in(cls.find(method.attributes, "Code")->bytes);
  in.u4();  // stack and locals
  return in.u4();
}

enum class Outcome { kUnchanged, kStored, kFailed };

Outcome instrument_method(ClassFile& cls, std::uint32_t index, const Plan& plan, const InstrumentOptions& options,
                          PointGuide& guide, InstrumentCounts& counts, std::string& reason) {
  Member& method = cls.methods[index];
  Result<Code> code = Code::parse(cls, method);
  if (!code.ok()) {
    reason = code.error().message;
    return Outcome::kFailed;
  }
  MethodEditor editor(cls, index, code.value(), plan, options, guide, counts);
  if (!editor.run()) {
    reason = editor.reason();
    return Outcome::kFailed;
  }
  if (!code.value().edited()) return Outcome::kUnchanged;
  const Status stored = code.value().store(cls, method);
  if (stored.ok()) {
    if (editor.opened_synchronized()) method.access_flags &= static_cast<std::uint16_t>(~kAccSynchronized);
    return Outcome::kStored;
  }
  reason = stored.error().message;
  return Outcome::kFailed;
}

}  // namespace

InstrumentCounts instrument(ClassFile& cls, const Plan& plan, const InstrumentOptions& options, PointGuide& guide) {
  InstrumentCounts counts;
  for (std::uint32_t i = 0; i < cls.methods.size(); ++i) {
    Member& method = cls.methods[i];
    if (cls.find(method.attributes, "Code") == nullptr) continue;
    const Member original = method;
    InstrumentCounts of_method = counts;
    std::string reason;
    Outcome outcome = instrument_method(cls, i, plan, options, guide, of_method, reason);
    // The context is worth neither an unwatched method nor one that the JIT will not compile.
    if (options.contexts &&
        (outcome == Outcome::kFailed || (outcome == Outcome::kStored && code_length(cls, method) > kHugeMethod))) {
      InstrumentOptions without = options;
      without.contexts = false;
      method = original;
      of_method = counts;
      ++of_method.without_context;
      outcome = instrument_method(cls, i, plan, without, guide, of_method, reason);
    }
    if (outcome == Outcome::kFailed) guide.skipped(i, reason);
    if (outcome != Outcome::kStored) continue;
    counts = of_method;
    ++counts.methods;
  }
  return counts;
}

}  // namespace deadheat::classfile
