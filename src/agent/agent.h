// SPDX-License-Identifier: Apache-2.0
//
// The one object everything in the agent hangs off: made in Agent_OnLoad, alive as long as the JVM. The JVMTI callbacks
// and the shim's native methods reach it through agent(), because the VM gives them no other way.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "agent/access_history.h"
#include "agent/allocations.h"
#include "agent/array_words.h"
#include "agent/class_rewriter.h"
#include "agent/class_table.h"
#include "agent/creations.h"
#include "agent/field_resolver.h"
#include "agent/hidden_classes.h"
#include "agent/jni_monitors.h"
#include "agent/native_monitors.h"
#include "agent/native_words.h"
#include "agent/options.h"
#include "agent/pending_inits.h"
#include "agent/race_log.h"
#include "agent/run_log.h"
#include "agent/shim.h"
#include "agent/site_table.h"
#include "agent/stack_walker.h"
#include "agent/threads.h"
#include "agent/vm_flags.h"
#include "agent/watch_list.h"
#include "engine/engine.h"

namespace deadheat::agent {

class Conductor;
class Hunt;

class Agent {
 public:
  Agent(jvmtiEnv* jvmti, const Options& options);
  ~Agent();

  // Asks for what is needed and switches the events on; an error says what this JVM lacks.
  Status start();

  // JVMTI events.
  void on_vm_start(JNIEnv* jni);
  void on_vm_init(JNIEnv* jni, jthread thread);
  // While the VM starts: whether what the current thread, the main one, runs from here on is the program's, which the
  // scheduler controls.
  void control_main(JNIEnv* jni, bool programs);
  void on_vm_death(JNIEnv* jni);
  void on_thread_start(JNIEnv* jni, jthread thread);
  void on_thread_end(JNIEnv* jni, jthread thread);
  void on_class_load(JNIEnv* jni, Definition definition, jobject loader, const char* name, ByteSpan bytes,
                     jint* new_size, unsigned char** new_bytes);
  // Words of locks could not be kept: from now on an order between threads may be unknown, so nothing is reported any
  // more.
  void on_heap_exhausted();
  // Ends the process at once, with everything written.
  [[noreturn]] void halt();
  void on_collection() { collections.fetch_add(1, std::memory_order_relaxed); }

  // Of the current thread; null if it is not attached.
  JNIEnv* env() const;

  jvmtiEnv* const jvmti;
  const Options options;
  RunLog log;
  engine::Engine engine;
  const WatchList watch_list;
  ClassTable classes;
  SiteTable sites;
  NativeWords words;
  ClassRewriter rewriter;
  HiddenClasses hidden_classes;
  FieldResolver resolver;
  StackWalker stacks;
  Creations creations;
  std::unique_ptr<Allocations> allocations;  // with allocations=on
  AccessHistory history;
  Threads threads;
  PendingInits pending_inits;
  NativeMonitors native_monitors;
  LockTable lock_table{sites};
  ArrayWords array_words;
  HashBits hash_bits;  // does not change once the agent is loaded
  RaceLog races;
  std::unique_ptr<Conductor> conductor;       // with engine=schedule
  std::unique_ptr<Hunt> hunt;                 // with engine=relations or hunt=…
  std::atomic<std::uint64_t> collections{0};  // finished garbage collections; read by the shim at its address
  std::atomic<std::uint64_t> locks{0};        // numbered so far, for detectors that go by locks held
  // With engine=count: events that reached C++.
  std::atomic<std::uint64_t> reads{0};
  std::atomic<std::uint64_t> writes{0};

 private:
  // Whether threads are the engine's too.
  bool runs_detector() const;
  void write_start_record();
  void write_end_record();
  void give_up(const std::string& why);
  void enable_thread_events();
  // When all agents have been told that the VM is ready.
  void control_main_later(JNIEnv* jni);
  void watch_native_monitors(JNIEnv* jni, MonitorsFor whom);

  Shim shim_;
  InliningLimits inlining_;
  // Set when the shim could not be installed: from then on no class is touched.
  std::atomic<bool> passive_{false};
  std::atomic<bool> ended_{false};
  std::atomic<bool> exhausted_{false};
  bool controls_ = false;  // the main thread's own: the scheduler was started
  JavaVM* vm_ = nullptr;
};

// Null before Agent_OnLoad.
Agent* agent();
void set_agent(std::unique_ptr<Agent> made);

}  // namespace deadheat::agent
