// SPDX-License-Identifier: Apache-2.0
//
// For the recorder: which class initialisers a thread has to be ordered after. Initialisers are known by
// ClassInfo::init. What a thread knows is its own; the rest is any thread's.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/class_table.h"
#include "agent/native_words.h"
#include "agent/site_table.h"
#include "schedule/operation.h"

namespace deadheat::agent {

// One thread's own.
struct KnownClasses {
  std::unordered_set<std::uint32_t> inits;   // ordered after these, or ran them itself
  std::unordered_set<const FieldUse*> uses;  // all initialisers behind these are in inits
  std::vector<std::uint32_t> pending;        // used while another thread was in them: the JVM makes this one wait
};

class ClassUses {
 public:
  ClassUses(const NativeWords& words, const ClassTable& classes) : words_(words), classes_(classes) {}

  // The initialiser begins, after that of its superclass: adds to `after` if it was another thread's.
  void on_begin(KnownClasses& known, schedule::ThreadIndex self, std::uint32_t init, std::vector<std::uint32_t>& after);
  void on_end(std::uint32_t init);

  // The thread uses a class, or a static field. Adds to `after` what it has to be ordered after now.
  void use(KnownClasses& known, schedule::ThreadIndex self, std::uint32_t init, std::vector<std::uint32_t>& after);
  void use(KnownClasses& known, schedule::ThreadIndex self, const FieldUse& field, std::vector<std::uint32_t>& after);
  // Before its next operation: what it was made to wait for has ended.
  void settle(KnownClasses& known, schedule::ThreadIndex self, std::vector<std::uint32_t>& after);

 private:
  // The class with this number has no initialiser of its own that anybody has begun.
  void use_super(KnownClasses& known, schedule::ThreadIndex self, std::uint32_t init,
                 std::vector<std::uint32_t>& after);

  struct State {
    schedule::ThreadIndex by;
    bool ended = false;
  };

  const NativeWords& words_;
  const ClassTable& classes_;
  std::mutex mutex_;
  std::unordered_map<std::uint32_t, State> states_;  // under mutex_
};

}  // namespace deadheat::agent
