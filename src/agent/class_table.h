// SPDX-License-Identifier: Apache-2.0
//
// What the agent knows of each class it has seen in the class-load hook: its fields with where their words are, its
// methods by name. A class is named by (name, loader number), because that is all there is before the class object
// exists. Entries live as long as the agent. Any thread may add and look up.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/shim_layout.h"
#include "agent/watch_list.h"

namespace deadheat::agent {

// A class loader; 0 is the boot loader.
enum class LoaderId : std::int32_t {};

struct FieldUse;  // site_table.h

struct FieldInfo {
  std::string name;
  std::string descriptor;
  std::uint16_t flags = 0;
  WhereKind kind = WhereKind::kNone;
  StaticRecord* record = nullptr;  // statics only
  FieldUse* use = nullptr;   // the field as named by its own class, for accesses that name none; under the table's lock
  std::uint32_t number = 0;  // of all fields the agent knows
  // Instance fields: the encoded offsets once resolved. Written by any thread, always the same value.
  std::atomic<std::int64_t> where{0};
};

struct MethodInfo {
  std::string name;
  std::string descriptor;
};

struct ClassInfo {
  std::uint32_t id = 0;
  std::uint32_t first_method = 0;  // the number of methods[0] among those of all classes
  std::string name;                // internal
  std::string super;
  std::string source;
  LoaderId loader{};
  Watch watch = Watch::kNone;
  // Its instances can have words of ours. The VM knows the layout of java.lang.Class by heart.
  bool has_words = true;
  bool held_arrays = false;       // its array fields know the elements of their array (InstrumentOptions::held_arrays)
  bool known_arrays = false;      // they know the cell of their array (InstrumentOptions::known_arrays)
  bool has_monitor_word = false;  // declares synchronized instance methods, and is fully watched
  bool has_number = false;        // its instances have their number of a recorded run in a field
  // Its own constructors may let their object out; those of its superclasses may. (Not asked of the JDK's.)
  bool leaks_this = true;
  bool super_leaks = false;
  std::uint32_t init = 0;  // the number of its init word, 0 if it has no initialiser
  // The number of a word beside those, which is not 0 once the VM has told of an object of the class, or of a subclass,
  // that has a finalizer; 0 if there can be none.
  std::uint32_t finalizable = 0;
  // The superclass, where its name alone does not tell (FieldResolver::learn_supers); null: not asked.
  std::atomic<const ClassInfo*> learnt_super{nullptr};
  std::deque<FieldInfo> fields;  // as in the class file, without ours
  std::vector<MethodInfo> methods;

  // Whether the end of its constructors is to be remembered, in a field of ours.
  bool freezes() const;
  // Whether it has final fields that others may read before that.
  bool has_open_finals() const;
  // Whether its objects have a field of ours for what is known of the array in this one.
  bool knows_array(const FieldInfo& field) const;
  FieldInfo* find_field(std::string_view field, std::string_view descriptor);
};

class ClassTable {
 public:
  // Replaces an entry of the same name and loader (a failed definition tried again). Sets its numbers.
  ClassInfo* add(std::unique_ptr<ClassInfo> info);
  // One that is never looked up: a hidden class, whose name may be that of another.
  ClassInfo* add_nameless(std::unique_ptr<ClassInfo> info);
  ClassInfo* find(std::string_view name, LoaderId loader) const;
  const ClassInfo& at(std::uint32_t id) const;
  // The superclass of a class that has one, as far as it was learnt or names tell: of the same loader, or of the one
  // other loader that has defined a class of this name.
  const ClassInfo* super_of(const ClassInfo& info) const;
  // All that it may be as far as names tell: several where other loaders have one each.
  std::vector<const ClassInfo*> possible_supers(const ClassInfo& info) const;
  // The field with this number, and its class; nulls if there is none.
  struct NumberedField {
    const ClassInfo* owner = nullptr;
    const FieldInfo* field = nullptr;
  };
  NumberedField field_numbered(std::uint32_t number) const;
  // The field of a class in the table as that class names it, made on first use.
  FieldUse* use_of(ClassInfo& owner, FieldInfo& field);
  std::size_t size() const;

 private:
  ClassInfo* number(std::unique_ptr<ClassInfo> info);  // under mutex_
  struct NameHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  mutable std::mutex mutex_;
  std::uint32_t next_method_ = 1;                   // under mutex_
  std::deque<std::unique_ptr<ClassInfo>> classes_;  // by id; under mutex_
  // Those of one name, each of another loader; under mutex_
  std::unordered_map<std::string, std::vector<ClassInfo*>, NameHash, std::equal_to<>> by_name_;
  std::vector<NumberedField> fields_;  // by number; under mutex_
};

}  // namespace deadheat::agent
