// SPDX-License-Identifier: Apache-2.0
//
// Turns conflicts that the engine finds into race records. Each pair of sites on a variable is written once, when it is
// first seen, with the stack of the thread that saw it; how often it came is written at the end. Called on the
// accessing thread.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "agent/access_history.h"
#include "agent/allocations.h"
#include "agent/creations.h"
#include "agent/lock_table.h"
#include "agent/race_places.h"
#include "agent/run_log.h"
#include "agent/site_table.h"
#include "agent/stack_walker.h"
#include "agent/threads.h"
#include "base/json_writer.h"
#include "engine/engine.h"

namespace deadheat::agent {

// Where the variable of a race is, as far as the access tells. A local reference, valid during the call.
struct RacedObject {
  jobject object = nullptr;  // whose field it is, or the array; null: a static field, or not known
  jint index = -1;           // of the element
};

class RaceLog {
 public:
  RaceLog(jvmtiEnv* jvmti, StackWalker& stacks, const Creations& creations, const Allocations* allocations,
          const AccessHistory& history, const LockTable& locks, const SiteTable& sites, const Threads& threads,
          const engine::Engine& engine, RunLog& log)
      : jvmti_(jvmti),
        stacks_(stacks),
        creations_(creations),
        allocations_(allocations),
        history_(history),
        locks_(locks),
        sites_(sites),
        threads_(threads),
        engine_(engine),
        log_(log) {}

  // `count` conflicts of state.conflicts against an access at `site`.
  void report(JNIEnv* jni, const engine::ThreadState& state, std::uint32_t count, std::uint32_t site, bool is_write,
              const RacedObject& of);
  // Whether any of them would be written.
  bool has_news(const engine::ThreadState& state, std::uint32_t count, std::uint32_t site);
  // What is reported from now on are candidates of this detector, not races of this run.
  void set_detector(std::string_view name) { detector_ = name; }
  // Nothing is reported any more.
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  // Called after the first race is on record.
  void on_first_race(void (*action)()) { first_race_ = action; }
  // Called with each race before its record is closed: may add members.
  using Annotate = void (*)(JsonWriter& json, model::ThreadId thread, model::ThreadId other);
  void set_annotation(Annotate annotate) { annotate_ = annotate; }
  // One record with the number of times each race was seen, and the places that those in the JDK were seen from.
  void write_counts();
  std::size_t size() const;

 private:
  void write_race(JNIEnv* jni, const engine::ThreadState& state, const engine::Conflict& previous,
                  const std::string& id, std::uint32_t site, bool is_write, const RacedObject& of);
  const std::string& known_id(std::uint32_t site, std::uint32_t previous_site);  // under mutex_
  void write_variable(JNIEnv* jni, JsonWriter& json, const Site& site, const RacedObject& of) const;
  void write_object(JNIEnv* jni, JsonWriter& json, jobject object) const;
  std::string id_of(std::uint32_t site, std::uint32_t previous_site) const;
  void write_thread(JsonWriter& json, model::ThreadId thread) const;
  void write_held(JNIEnv* jni, JsonWriter& json, model::ThreadId thread) const;
  void write_previous(JsonWriter& json, const engine::Conflict& previous) const;
  void write_site_frame(JsonWriter& json, const Site& site) const;

  jvmtiEnv* const jvmti_;
  StackWalker& stacks_;
  const Creations& creations_;
  const Allocations* const allocations_;  // null: not kept
  const AccessHistory& history_;
  const LockTable& locks_;
  const SiteTable& sites_;
  const Threads& threads_;
  const engine::Engine& engine_;
  RunLog& log_;
  std::string detector_;  // empty: happens-before; set before the first report
  std::atomic<bool> stopped_{false};
  void (*first_race_)() = nullptr;
  Annotate annotate_ = nullptr;  // set before the first report
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::uint64_t> counts_;  // by race id; under mutex_
  std::unordered_map<std::uint64_t, std::string> ids_;     // by pair of sites; under mutex_
  RacePlaces places_{stacks_};
};

}  // namespace deadheat::agent
