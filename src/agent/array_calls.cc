// SPDX-License-Identifier: Apache-2.0
#include "agent/array_calls.h"

#include <deque>
#include <utility>

namespace deadheat::agent {

namespace {

using classfile::CallRule;
using classfile::Hook;
using Action = CallRule::Action;

// With readAll, readPart, readCount, writeAll, writePart.
constexpr std::string_view kDetected = "java/lang/DeadheatArrays";
constexpr std::string_view kRecorded = "java/lang/DeadheatGateArrays";
constexpr std::string_view kHeld = "java/lang/DeadheatHeld";
constexpr std::string_view kParts = "java/lang/DeadheatParts";
constexpr std::string_view kSorts = "java/lang/DeadheatSorts";
constexpr std::string_view kDeepArrays = "java/lang/DeadheatDeepArrays";
constexpr std::string_view kClones = "java/lang/DeadheatClones";
constexpr std::string_view kArrays = "java/util/Arrays";
constexpr std::string_view kReflectedArray = "java/lang/reflect/Array";
constexpr std::string_view kOfAll = "(Ljava/lang/Object;I)V";
constexpr std::string_view kOfPart = "(Ljava/lang/Object;III)V";

constexpr std::string_view kPrimitives[] = {"Z", "B", "C", "S", "I", "J", "F", "D"};
constexpr std::string_view kObject = "Ljava/lang/Object;";

// An array of references may refuse the value.
void add_fill_rules(classfile::Plan& plan) {
  const auto add = [&plan](std::string_view range) {
    const std::string others = std::string(range).append(kObject);
    CallRule rule{kArrays, "fill", keep_name("([" + std::string(kObject) + others + ")V"), Action::kReplace, {}, {}};
    rule.with_site = true;
    rule.hook = {kSorts, "fill", keep_name("([" + std::string(kObject) + others + "I)V")};
    rule.held = {kSorts, "fillHeld",
                 keep_name("([" + std::string(kObject) + others + "I" + std::string(kObject) + ")V")};
    plan.add_call(rule);
  };
  add("");
  add("II");
}

// Methods of java.util.Arrays that access all of an array, or all of the part they are given.
void add_whole_array_rules(classfile::Plan& plan, std::string_view accesses) {
  constexpr std::string_view kOfHeld = "(Ljava/lang/Object;IIILjava/lang/Object;)V";
  constexpr Hook kHeldReads = {kHeld, "readPart", kOfHeld};
  const Hook read_all = {accesses, "readAll", kOfAll};
  const Hook read_part = {accesses, "readPart", kOfPart};
  const Hook write_all = {accesses, "writeAll", kOfAll};
  const Hook write_part = {accesses, "writePart", kOfPart};
  constexpr Hook kHeldWrites = {kHeld, "writePart", kOfHeld};
  constexpr Hook kSortsAll = {kParts, "sorting", kOfAll};
  constexpr Hook kSortsPart = {kParts, "sorting", kOfPart};
  // No collection calls it on a table of its own.
  plan.add_call({kArrays, "parallelSort", "", Action::kArrayArgument, kSortsAll, kSortsPart, true});
  add_fill_rules(plan);
  for (const char* name : {"fill", "setAll", "parallelSetAll", "parallelPrefix"}) {
    plan.add_call({kArrays, name, "", Action::kArrayArgument, write_all, write_part, true, kHeldWrites});
  }
  // No collection has arrays of arrays.
  for (const char* name : {"deepToString", "deepHashCode"}) {
    plan.add_call({kArrays, name, "", Action::kArrayArgument, {kDeepArrays, "readAll", kOfAll}, {}, true});
  }
  for (const char* name : {"hashCode", "toString"}) {
    plan.add_call({kArrays, name, "", Action::kArrayArgument, read_all, {}, true, kHeldReads});
  }
  CallRule first{kArrays, "copyOf", "", Action::kArrayArgument, {}, read_part, true, kHeldReads};
  first.values = 1;
  plan.add_call(first);
  plan.add_call({kArrays, "copyOfRange", "", Action::kArrayArgument, {}, read_part, true, kHeldReads});
}

// What a sort has written is seen when it is over.
void add_sort_rules(classfile::Plan& plan) {
  constexpr std::string_view kComparator = "Ljava/util/Comparator;";
  const auto add = [&plan](std::string_view type, std::string_view others) {
    const std::string parameters = std::string("[").append(type).append(others);
    const std::string hook_parameters = std::string(kObject).append(others) + "I";
    CallRule rule{kArrays, "sort", keep_name("(" + parameters + ")V"), Action::kReplace, {}, {}, true};
    rule.hook = {kSorts, "sort", keep_name("(" + hook_parameters + ")V")};
    // The one that collections call.
    if (others.starts_with("IIL"))
      rule.held = {kSorts, "sortHeld", keep_name("(" + hook_parameters + std::string(kObject) + ")V")};
    plan.add_call(rule);
  };
  for (const std::string_view type : kPrimitives) {
    if (type == "Z") continue;
    add(type, "");
    add(type, "II");
  }
  add(kObject, "");
  add(kObject, "II");
  add(kObject, kComparator);
  add(kObject, std::string("II").append(kComparator));
}

// Methods of java.util.Arrays that stop when they know enough.
void add_partial_array_rules(classfile::Plan& plan) {
  const auto add = [&plan](std::string_view name, std::string parameters, std::uint8_t operands,
                           std::string_view hook) {
    CallRule rule{kArrays, name, "", Action::kAroundOperands, {}, {}};
    const bool answers_yes = name == "equals";
    rule.descriptor = keep_name("(" + parameters + (answers_yes ? ")Z" : ")I"));
    rule.values = operands;
    // What the operands are matters to a search only; else one hook serves all types.
    if (hook != "searching") {
      parameters = operands == 2 ? "Ljava/lang/Object;Ljava/lang/Object;" : "Ljava/lang/Object;IILjava/lang/Object;II";
    }
    rule.sited_hook = {kParts, hook, keep_name("(" + parameters + "I)V")};
    plan.add_call(rule);
  };
  const auto add_comparisons = [&add](std::string_view name, const std::string& type, std::string_view hook) {
    add(name, "[" + type + "[" + type, 2, hook);
    add(name, "[" + type + "II[" + type + "II", 6, hook);
  };
  for (const std::string_view primitive : kPrimitives) {
    const std::string type(primitive);
    add_comparisons("equals", type, "comparing");
    add_comparisons("mismatch", type, "scanning");
    add_comparisons("compare", type, "scanning");
    if (type == "B" || type == "S" || type == "I" || type == "J") add_comparisons("compareUnsigned", type, "scanning");
    if (type == "Z") continue;
    add("binarySearch", "[" + type + type, 2, "searching");
    add("binarySearch", "[" + type + "II" + type, 4, "searching");
  }
  const std::string object(kObject);
  add_comparisons("equals", object, "comparing");
  add_comparisons("mismatch", object, "scanning");
  add("binarySearch", "[" + object + object, 2, "searching");
  add("binarySearch", "[" + object + "II" + object, 4, "searching");
}

void add_deep_comparison(classfile::Plan& plan) {
  CallRule rule{kArrays, "deepEquals", "([Ljava/lang/Object;[Ljava/lang/Object;)Z", Action::kAroundOperands, {}, {}};
  rule.values = 2;
  rule.sited_hook = {kDeepArrays, "comparing", "(Ljava/lang/Object;Ljava/lang/Object;I)V"};
  plan.add_call(rule);
}

// Characters that go from an array of the caller's into a string, or the other way.
void add_string_rules(classfile::Plan& plan, std::string_view accesses) {
  const Hook read_all = {accesses, "readAll", kOfAll};
  const Hook read_count = {accesses, "readCount", kOfPart};
  for (const char* descriptor : {"([C)V", "([CII)V"}) {
    plan.add_call({"java/lang/String", "<init>", descriptor, Action::kArrayArgument, read_all, read_count, true});
  }
  for (const char* name : {"valueOf", "copyValueOf"}) {
    for (const char* descriptor : {"([C)Ljava/lang/String;", "([CII)Ljava/lang/String;"}) {
      plan.add_call({"java/lang/String", name, descriptor, Action::kArrayArgument, read_all, read_count, true});
    }
  }
  for (const char* owner : {"java/lang/String", "java/lang/StringBuilder", "java/lang/StringBuffer"}) {
    CallRule rule{owner, "getChars", "(II[CI)V", Action::kAroundOperands, {}, {}};
    rule.values = 5;
    rule.sited_after = {kParts, "got", "(Ljava/lang/Object;IILjava/lang/Object;II)V"};
    plan.add_call(rule);
    rule.name = "getBytes";
    rule.descriptor = "(II[BI)V";
    plan.add_call(rule);
  }
}

// Array.get(array, index), Array.set(array, index, value): told behind the call, which may refuse. At a site that the
// scheduler is asked for, before it.
void add_reflected_elements(classfile::Plan& plan, std::string_view accesses) {
  CallRule rule{kReflectedArray, "", "", Action::kAroundOperands, {}, {}};
  rule.values = 2;
  for (const char* type : {"", "Boolean", "Byte", "Char", "Short", "Int", "Long", "Float", "Double"}) {
    rule.name = keep_name(std::string("set") + type);
    rule.sited_after = {accesses, "setElement", "(Ljava/lang/Object;II)V"};
    if (accesses == kRecorded) rule.sited_hook = {accesses, "settingElement", "(Ljava/lang/Object;II)V"};
    plan.add_call(rule);
    rule.name = keep_name(std::string("get") + type);
    rule.sited_after = {accesses, "gotElement", "(Ljava/lang/Object;II)V"};
    if (accesses == kRecorded) rule.sited_hook = {accesses, "gettingElement", "(Ljava/lang/Object;II)V"};
    plan.add_call(rule);
  }
}

void add_array_clone(classfile::Plan& plan, std::string_view accesses) {
  // Arrays name their own type as the owner.
  plan.add_call(
      {"[", "clone", "()Ljava/lang/Object;", Action::kBeforeReceiver, {accesses, "readAll", kOfAll}, {}, true});
}

constexpr std::string_view kSetAll[] = {
    "([Ljava/lang/Object;Ljava/util/function/IntFunction;)V", "([ILjava/util/function/IntUnaryOperator;)V",
    "([JLjava/util/function/IntToLongFunction;)V", "([DLjava/util/function/IntToDoubleFunction;)V"};

// The hook has the name of the method and is told the site besides.
void add_replaced(classfile::Plan& plan, std::string_view hooks, std::string_view name, std::string_view descriptor) {
  std::string with_site(descriptor);
  with_site.insert(with_site.find(')'), "I");
  CallRule rule{kArrays, name, descriptor, Action::kReplace, {hooks, name, keep_name(std::move(with_site))}, {}};
  rule.with_site = true;
  plan.add_call(rule);
}

// Where it depends on the program's own objects which elements a method of java.util.Arrays accesses, or when, the shim
// does its work.
void add_replaced_array_rules(classfile::Plan& plan) {
  constexpr std::pair<std::string_view, std::string_view> kReplaced[] = {
      {"equals", "([Ljava/lang/Object;[Ljava/lang/Object;)Z"},
      {"equals", "([Ljava/lang/Object;II[Ljava/lang/Object;II)Z"},
      {"deepEquals", "([Ljava/lang/Object;[Ljava/lang/Object;)Z"},
      {"mismatch", "([Ljava/lang/Object;[Ljava/lang/Object;)I"},
      {"mismatch", "([Ljava/lang/Object;II[Ljava/lang/Object;II)I"},
      {"binarySearch", "([Ljava/lang/Object;Ljava/lang/Object;)I"},
      {"binarySearch", "([Ljava/lang/Object;IILjava/lang/Object;)I"},
  };
  for (const auto& [name, descriptor] : kReplaced) add_replaced(plan, kRecorded, name, descriptor);
  for (const std::string_view descriptor : kSetAll) add_replaced(plan, kRecorded, "setAll", descriptor);
  plan.add_call({kArrays,
                 "parallelPrefix",
                 "",
                 Action::kArrayArgument,
                 {kRecorded, "updateAll", kOfAll},
                 {kRecorded, "updatePart", kOfPart},
                 true});
}

}  // namespace

void add_array_calls(classfile::Plan& plan) {
  for (const std::string_view descriptor : kSetAll) add_replaced(plan, kSorts, "setAll", descriptor);
  add_sort_rules(plan);
  add_whole_array_rules(plan, kDetected);
  add_partial_array_rules(plan);
  add_deep_comparison(plan);
  add_string_rules(plan, kDetected);
  add_reflected_elements(plan, kDetected);
  // Object.clone() copies our words with the rest; every clone() of a class ends there.
  plan.add_call({"java/lang/Object",
                 "clone",
                 "()Ljava/lang/Object;",
                 Action::kClone,
                 {kClones, "cloning", kOfAll},
                 {kClones, "cloned", "(Ljava/lang/Object;)V"},
                 true});
  add_array_clone(plan, kDetected);
}

void add_recorded_array_calls(classfile::Plan& plan) {
  add_replaced_array_rules(plan);
  add_sort_rules(plan);
  add_whole_array_rules(plan, kRecorded);
  add_partial_array_rules(plan);
  add_string_rules(plan, kRecorded);
  add_reflected_elements(plan, kRecorded);
  const CallRule clone{"java/lang/Object",
                       "clone",
                       "()Ljava/lang/Object;",
                       Action::kClone,
                       {kRecorded, "cloning", kOfAll},
                       {"java/lang/DeadheatNumbers", "cloned", "(Ljava/lang/Object;)V"},
                       true};
  plan.add_call(clone);
  add_array_clone(plan, kRecorded);
}

bool is_array_call(const classfile::MemberRef& called) {
  return called.owner == kArrays || called.owner == kReflectedArray || called.name == "clone" ||
         called.owner == "java/lang/String" || called.owner == "java/lang/StringBuilder" ||
         called.owner == "java/lang/StringBuffer";
}

std::string_view keep_name(std::string text) {
  static std::deque<std::string>* names = new std::deque<std::string>;
  return names->emplace_back(std::move(text));
}

}  // namespace deadheat::agent
