// SPDX-License-Identifier: Apache-2.0
//
// Hidden classes: lambdas and method references, and whatever else programs define through a Lookup. The VM does not
// show them to agents, so their accesses are not watched. Three things are all the same, because nobody else can tell
// them:
// - What a lambda has captured is in its final fields, and who runs it sees what was done to that before the lambda was
//   made (JLS 17.5, docs/agent.md "Final fields").
// - The method that a reference names is called from here: `lock::wait`, `Arrays::sort`, `System::nanoTime`.
// - The end of the constructor, if its objects may have a finalizer.
// Called by the thread that defines the class, from DeadheatHidden.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agent/class_table.h"
#include "agent/site_table.h"
#include "agent/special_methods.h"
#include "base/bytes.h"
#include "classfile/plan.h"

namespace deadheat::agent {

class HiddenClasses {
 public:
  HiddenClasses(ClassTable& classes, SiteTable& sites, Purpose purpose = Purpose::kDetector);

  // The class with a freeze word, which its constructors write and the reads of its final fields tell, and with the
  // hooks of the detector at its calls; those that take a site only in classes of the program. Under the scheduler
  // with the scheduler's, beside these or alone. Nothing if it has no use for any, or cannot be read. Any thread.
  std::optional<std::vector<std::uint8_t>> rewrite(ByteSpan bytes, LoaderId loader, bool from_jdk);

 private:
  ClassTable& classes_;
  SiteTable& sites_;
  const bool detects_;
  const bool schedules_;
  const classfile::Plan plan_;
  const classfile::Plan gate_plan_;
};

}  // namespace deadheat::agent
