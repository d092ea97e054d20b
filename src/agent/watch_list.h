// SPDX-License-Identifier: Apache-2.0
//
// Which classes are watched, and how (DESIGN 3.6): application classes and the JDK classes in which users' races
// surface fully; all other JDK classes for their synchronisation only; a few that the VM or the shim stands on not at
// all. Names are internal ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "classfile/class_file.h"

namespace deadheat::agent {

enum class Watch {
  kNone,  // untouched
  kSync,  // synchronisation only: monitors, volatile fields, atomics, class initialisation
  kFull,  // and every plain access
};

class WatchList {
 public:
  // Patterns as users write them: a.b.C, a.b.*, *Test; `*` matches any run of characters.
  WatchList(const std::vector<std::string>& include, const std::vector<std::string>& exclude);

  // `from_jdk`: the class is defined by the boot or platform loader.
  Watch watch(std::string_view name, bool from_jdk) const;

  // Whether the initialiser of this class of the JDK leaves behind nothing that is watched: then nobody needs to know
  // that it ran. Asked of the small hot classes that everything calls; never true of others.
  static bool initialises_nothing(const classfile::ClassFile& cls);
  // Whether array elements are watched in the code of a fully watched class.
  static bool watches_elements(std::string_view name);
  // Whether the arrays of a fully watched class of the JDK are its own, never reached but through its fields.
  static bool owns_arrays(std::string_view name);

  // Fields that the JDK reads and writes as if they were volatile: with fences, by luck of their neighbours, as finals.
  static bool acts_as_volatile(std::string_view owner, std::string_view field);
  // A class whose plain stores into arrays of references publish what is stored.
  static bool publishes_by_stores(std::string_view name);

  // Whether the monitors that a class of the JDK takes are of a meaning to the program.
  static bool orders_by_monitors(std::string_view name);

  // Whether a final field of this class and type may lead other threads to plain data, so that the end of a constructor
  // matters to them (JLS 17.5). `Watch::kNone` never.
  static bool freezes(std::string_view owner, std::string_view descriptor, bool from_jdk);

  // Whether lock requests in the code of a class are told to a hunt: in the program, and in the part of the JDK whose
  // locks order what the program does.
  static bool gates_locks(std::string_view name, bool from_jdk);

  // Plain fields whose races the JDK documents as benign (single-check caches): never watched.
  static bool is_benign(std::string_view owner, std::string_view field);

 private:
  std::vector<std::string> include_;
  std::vector<std::string> exclude_;
};

// Whether a class is the JDK's, as far as its internal name tells.
bool looks_like_jdk(std::string_view name);

bool matches_pattern(std::string_view pattern, std::string_view name);

}  // namespace deadheat::agent
