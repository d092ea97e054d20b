// SPDX-License-Identifier: Apache-2.0
#include "classfile/instrumenter.h"

#include "classfile/code.h"
#include "classfile/method_editor.h"

namespace deadheat::classfile {

InstrumentCounts instrument(ClassFile& cls, const Plan& plan, const InstrumentOptions& options, PointGuide& guide) {
  InstrumentCounts counts;
  for (std::uint32_t i = 0; i < cls.methods.size(); ++i) {
    Member& method = cls.methods[i];
    if (cls.find(method.attributes, "Code") == nullptr) continue;
    Result<Code> code = Code::parse(cls, method);
    if (!code.ok()) {
      guide.skipped(i, code.error().message);
      continue;
    }
    InstrumentCounts of_method = counts;
    MethodEditor editor(cls, i, code.value(), plan, options, guide, of_method);
    if (!editor.run()) {
      guide.skipped(i, editor.reason());
      continue;
    }
    if (!code.value().edited()) continue;
    const Status stored = code.value().store(cls, method);
    if (!stored.ok()) {
      guide.skipped(i, stored.error().message);
      continue;
    }
    if (editor.opened_synchronized()) method.access_flags &= static_cast<std::uint16_t>(~kAccSynchronized);
    counts = of_method;
    ++counts.methods;
  }
  return counts;
}

}  // namespace deadheat::classfile
