// SPDX-License-Identifier: Apache-2.0
#include "report/race_json.h"

#include <algorithm>
#include <array>
#include <utility>

#include "report/json_fields.h"

namespace deadheat::report {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<VariableKind, const char*>, 3> kVariableKinds = {{
    {VariableKind::kField, "field"},
    {VariableKind::kStatic, "static"},
    {VariableKind::kArray, "array"},
}};

}  // namespace

Stack stack_from_json(const json& frames) {
  Stack stack;
  if (!frames.is_array()) return stack;
  for (const json& frame : frames) {
    stack.push_back({text_member(frame, "class"), text_member(frame, "method"), text_member(frame, "file"),
                     static_cast<int>(int_member(frame, "line"))});
  }
  return stack;
}

json stack_to_json(const Stack& stack) {
  json frames = json::array();
  for (const Frame& frame : stack) {
    json entry = {{"class", frame.class_name}, {"method", frame.method}};
    if (!frame.file.empty()) entry["file"] = frame.file;
    if (frame.line > 0) entry["line"] = frame.line;
    frames.push_back(std::move(entry));
  }
  return frames;
}

namespace {

Variable variable_from_json(const json& value) {
  Variable variable;
  const std::string kind = text_member(value, "kind");
  for (const auto& [candidate, name] : kVariableKinds) {
    if (kind == name) variable.kind = candidate;
  }
  variable.class_name = text_member(value, "class");
  variable.field = text_member(value, "field");
  if (member(value, "index").is_number_integer()) variable.index = int_member(value, "index");
  return variable;
}

json variable_to_json(const Variable& variable) {
  json value = {{"class", variable.class_name}};
  for (const auto& [kind, name] : kVariableKinds) {
    if (variable.kind == kind) value["kind"] = name;
  }
  if (!variable.field.empty()) value["field"] = variable.field;
  if (variable.index) value["index"] = *variable.index;
  return value;
}

}  // namespace

Thread thread_from_json(const json& value) {
  Thread thread;
  thread.id = int_member(value, "id");
  thread.name = text_member(value, "name");
  thread.main = bool_member(value, "main", false);
  const json& creator = member(value, "created_by");
  if (creator.is_object()) thread.created_by = Creator{int_member(creator, "id"), text_member(creator, "name")};
  thread.created_at = stack_from_json(member(value, "created_at"));
  return thread;
}

json thread_to_json(const Thread& thread) {
  json value = {{"id", thread.id}, {"name", thread.name}};
  if (thread.main) value["main"] = true;
  if (thread.created_by) value["created_by"] = {{"id", thread.created_by->id}, {"name", thread.created_by->name}};
  if (!thread.created_at.empty()) value["created_at"] = stack_to_json(thread.created_at);
  return value;
}

namespace {

// An object is written as its name, as {"name":…} or as {"class":…, "hash":…}.
std::string object_name(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string name = text_member(value, "name");
  if (!name.empty()) return name;
  const json& hash = member(value, "hash");
  name = text_member(value, "class");
  if (hash.is_string()) return name + "@" + hash.get<std::string>();
  return hash.is_number() ? name + "@" + hash.dump() : name;
}

}  // namespace

Access access_from_json(const json& value) {
  Access access;
  access.write = bool_member(value, "write", false);
  access.thread = thread_from_json(member(value, "thread"));
  access.stack = stack_from_json(member(value, "stack"));
  access.site = text_member(value, "site");
  access.stack_complete = bool_member(value, "stack_complete", true);
  access.stack_missing = text_member(value, "stack_missing");
  access.history = int_member(value, "history");
  const json& locks = member(value, "locks");
  if (locks.is_array()) {
    access.locks.emplace();
    for (const json& lock : locks) access.locks->push_back(object_name(lock));
  }
  return access;
}

json access_to_json(const Access& access) {
  json value = {
      {"write", access.write}, {"thread", thread_to_json(access.thread)}, {"stack", stack_to_json(access.stack)}};
  if (access.locks) value["locks"] = *access.locks;
  if (!access.site.empty()) value["site"] = access.site;
  if (!access.stack_complete) value["stack_complete"] = false;
  if (!access.stack_missing.empty()) value["stack_missing"] = access.stack_missing;
  if (access.history > 0) value["history"] = access.history;
  return value;
}

Race race_from_json(const json& value) {
  Race race;
  race.id = text_member(value, "id");
  race.detector = text_member(value, "detector");
  race.variable = variable_from_json(member(value, "variable"));
  const json& accesses = member(value, "accesses");
  if (accesses.is_array()) {
    for (const json& access : accesses) race.accesses.push_back(access_from_json(access));
  }
  const json& object = member(value, "object");
  if (!object.is_null()) race.object = Object{object_name(object), stack_from_json(member(object, "allocated_at"))};
  const json& hunt = member(value, "hunt");
  if (hunt.is_object()) race.exposure = exposure_from_json(hunt);
  race.count = static_cast<std::uint64_t>(std::max<std::int64_t>(1, int_member(value, "count", 1)));
  race.pid = int_member(value, "pid");
  race.places = stack_from_json(member(value, "places"));
  return race;
}

json race_to_json(const Race& race) {
  json accesses = json::array();
  for (const Access& access : race.accesses) accesses.push_back(access_to_json(access));
  json value = {{"type", "race"},
                {"id", race.id},
                {"variable", variable_to_json(race.variable)},
                {"accesses", std::move(accesses)},
                {"count", race.count}};
  if (!race.detector.empty()) value["detector"] = race.detector;
  if (race.pid != 0) value["pid"] = race.pid;
  if (!race.places.empty()) value["places"] = stack_to_json(race.places);
  if (race.exposure) value["hunt"] = exposure_to_json(*race.exposure);
  if (race.object) {
    value["object"] = {{"name", race.object->name}, {"allocated_at", stack_to_json(race.object->allocated_at)}};
  }
  return value;
}

}  // namespace deadheat::report
