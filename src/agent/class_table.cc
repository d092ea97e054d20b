// SPDX-License-Identifier: Apache-2.0
#include "agent/class_table.h"

#include <algorithm>

#include "agent/site_table.h"

namespace deadheat::agent {

bool ClassInfo::knows_array(const FieldInfo& field) const {
  if (field.descriptor.front() != '[' || (field.flags & classfile::kAccStatic)) return false;
  if (held_arrays) return has_access_words(field.kind);
  return known_arrays && (field.kind == WhereKind::kPlain || field.kind == WhereKind::kFrozen);
}

FieldInfo* ClassInfo::find_field(std::string_view field, std::string_view descriptor) {
  for (FieldInfo& info : fields) {
    if (info.name == field && info.descriptor == descriptor) return &info;
  }
  return nullptr;
}

bool ClassInfo::freezes() const {
  return has_open_finals() ||
         std::any_of(fields.begin(), fields.end(), [](const FieldInfo& f) { return f.kind == WhereKind::kFrozen; });
}

bool ClassInfo::has_open_finals() const {
  return std::any_of(fields.begin(), fields.end(), [](const FieldInfo& f) { return is_open(f.kind); });
}

ClassInfo* ClassTable::add(std::unique_ptr<ClassInfo> info) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ClassInfo* added = number(std::move(info));
  std::vector<ClassInfo*>& named = by_name_[added->name];
  const auto former =
      std::find_if(named.begin(), named.end(), [added](const ClassInfo* c) { return c->loader == added->loader; });
  if (former != named.end()) {
    *former = added;
  } else {
    named.push_back(added);
  }
  return added;
}

ClassInfo* ClassTable::add_nameless(std::unique_ptr<ClassInfo> info) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return number(std::move(info));
}

ClassInfo* ClassTable::number(std::unique_ptr<ClassInfo> info) {
  info->id = static_cast<std::uint32_t>(classes_.size());
  info->first_method = next_method_;
  next_method_ += static_cast<std::uint32_t>(info->methods.size());
  ClassInfo* added = info.get();
  for (const FieldInfo& field : added->fields) {
    if (field.number >= fields_.size()) fields_.resize(field.number + 1);
    NumberedField& numbered = fields_[field.number];
    if (numbered.field == nullptr) numbered = {added, &field};  // a class that was tried again has the same numbers
  }
  classes_.push_back(std::move(info));
  return added;
}

ClassInfo* ClassTable::find(std::string_view name, LoaderId loader) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto named = by_name_.find(name);
  if (named == by_name_.end()) return nullptr;
  const auto found = std::find_if(named->second.begin(), named->second.end(),
                                  [loader](const ClassInfo* c) { return c->loader == loader; });
  return found == named->second.end() ? nullptr : *found;
}

const ClassInfo& ClassTable::at(std::uint32_t id) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return *classes_[id];
}

std::vector<const ClassInfo*> ClassTable::possible_supers(const ClassInfo& info) const {
  if (const ClassInfo* learnt = info.learnt_super.load(std::memory_order_acquire)) return {learnt};
  if (const ClassInfo* same_loader = find(info.super, info.loader)) return {same_loader};
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto named = by_name_.find(info.super);
  if (named == by_name_.end()) return {};
  return {named->second.begin(), named->second.end()};
}

const ClassInfo* ClassTable::super_of(const ClassInfo& info) const {
  const std::vector<const ClassInfo*> supers = possible_supers(info);
  return supers.size() == 1 ? supers.front() : nullptr;
}

ClassTable::NumberedField ClassTable::field_numbered(std::uint32_t number) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return number < fields_.size() ? fields_[number] : NumberedField{};
}

FieldUse* ClassTable::use_of(ClassInfo& owner, FieldInfo& field) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (field.use == nullptr) {
    field.use = new FieldUse;  // lives as long as the sites that name it: for good
    field.use->user = &owner;
    field.use->owner = owner.name;
    field.use->name = field.name;
    field.use->descriptor = field.descriptor;
  }
  return field.use;
}

std::size_t ClassTable::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return classes_.size();
}

}  // namespace deadheat::agent
