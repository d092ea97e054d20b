// SPDX-License-Identifier: Apache-2.0
#include "classfile/instrumenter.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "classfile/code.h"
#include "classfile/hook_need.h"
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

// How much of what the sets ask for a method is given.
struct Extent {
  bool contexts;
  bool orders_only;
};

// The sets in the order in which their hooks stand in front of an instruction: one, or two.
using HookSets = std::span<const HookSet>;
constexpr std::size_t kMostSets = 2;

Outcome instrument_method(ClassFile& cls, std::uint32_t index, HookSets sets, HookNeed& need, Extent extent,
                          InstrumentCounts& counts, std::string& reason) {
  Member& method = cls.methods[index];
  Result<Code> code = Code::parse(cls, method);
  if (!code.ok()) {
    reason = code.error().message;
    return Outcome::kFailed;
  }
  std::array<InstrumentOptions, kMostSets> options;
  std::array<std::optional<MethodEditor>, kMostSets> editors;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    options[i] = sets[i].options;
    options[i].contexts &= extent.contexts;
    options[i].monitors &= i + 1 == sets.size();
    options[i].orders_only = extent.orders_only;
    options[i].arrays &= !extent.orders_only;
    options[i].held_arrays &= !extent.orders_only;
    editors[i].emplace(cls, index, code.value(), sets[i].plan, options[i], sets[i].guide, need, counts);
  }
  const auto failed = [&](const MethodEditor& editor) {
    reason = editor.reason();
    return Outcome::kFailed;
  };
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!editors[i]->edit_points()) return failed(*editors[i]);
  }
  for (std::size_t i = sets.size(); i-- > 0;) {
    if (!editors[i]->wrap_method()) return failed(*editors[i]);
  }
  if (!code.value().edited()) return Outcome::kUnchanged;
  const Status stored = code.value().store(cls, method);
  if (!stored.ok()) {
    reason = stored.error().message;
    return Outcome::kFailed;
  }
  for (const std::optional<MethodEditor>& editor : editors) {
    if (editor && editor->opened_synchronized()) method.access_flags &= static_cast<std::uint16_t>(~kAccSynchronized);
  }
  return Outcome::kStored;
}

// One method, with as much as it can take. False: it stays as it was.
bool instrument_fully(ClassFile& cls, std::uint32_t index, HookSets sets, HookNeed& need, InstrumentCounts& counts) {
  const bool contexts = std::any_of(sets.begin(), sets.end(), [](const HookSet& set) { return set.options.contexts; });
  Member& method = cls.methods[index];
  const Member original = method;
  InstrumentCounts of_method = counts;
  std::string reason;
  const auto again = [&](HookSets with, Extent extent) {
    method = original;
    of_method = counts;
    if (contexts) ++of_method.without_context;
    return instrument_method(cls, index, with, need, extent, of_method, reason);
  };
  Outcome outcome = instrument_method(cls, index, sets, need, {contexts, false}, of_method, reason);
  // The context is worth neither an unwatched method nor one that the JIT will not compile.
  const bool huge = outcome == Outcome::kStored && code_length(cls, method) > kHugeMethod;
  if (contexts && (outcome == Outcome::kFailed || huge)) outcome = again(sets, {false, false});
  // Without the inner set an order between threads could go unseen; without the outer one nothing is wrong.
  if (outcome == Outcome::kFailed && sets.size() > 1) outcome = again(sets.last(1), {false, false});
  // Races in the method go unseen then; without its synchronisation there would be false alarms elsewhere.
  if (outcome == Outcome::kFailed) {
    outcome = again(sets.last(1), {false, true});
    if (outcome != Outcome::kFailed) sets.back().guide.accesses_skipped(index, reason);
  }
  if (outcome == Outcome::kFailed) sets.back().guide.skipped(index, reason);
  if (outcome != Outcome::kStored) return false;
  counts = of_method;
  return true;
}

InstrumentCounts instrument_methods(ClassFile& cls, HookSets sets) {
  InstrumentCounts counts;
  HookNeed need(cls, sets);
  for (std::uint32_t i = 0; i < cls.methods.size(); ++i) {
    if (!need.may_take_any(i)) continue;
    if (instrument_fully(cls, i, sets, need, counts)) ++counts.methods;
  }
  return counts;
}

}  // namespace

InstrumentCounts instrument(ClassFile& cls, const Plan& plan, const InstrumentOptions& options, PointGuide& guide) {
  const HookSet sets[] = {{plan, options, guide}};
  return instrument_methods(cls, sets);
}

InstrumentCounts instrument(ClassFile& cls, const HookSet& outer, const HookSet& inner) {
  const HookSet sets[] = {outer, inner};
  return instrument_methods(cls, sets);
}

}  // namespace deadheat::classfile
