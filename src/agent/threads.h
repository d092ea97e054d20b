// SPDX-License-Identifier: Apache-2.0
//
// Ties Java threads to the engine's: a ThreadState's address, epoch and clocks are kept in fields that java.lang.Thread
// was given, so that the shim has them at hand. Attaching and ending happen on the thread itself (JVMTI ThreadStart and
// ThreadEnd).
#pragma once

#include <jvmti.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "agent/creations.h"
#include "agent/histories.h"
#include "engine/engine.h"
#include "engine/volatile_sync.h"
#include "model/ids.h"

namespace deadheat::agent {

class Threads {
 public:
  // `histories`: null if threads keep none.
  Threads(jvmtiEnv* jvmti, engine::Engine& engine, Histories* histories)
      : jvmti_(jvmti), engine_(engine), histories_(histories) {}

  // Looks up the fields of java.lang.Thread; `alive_word` is the sync word of the field that isAlive() reads.
  bool start(JNIEnv* jni, const std::string& alive_word);
  // For engine=hit, before any thread is attached: all have one epoch for ever, so that nothing misses that any thread
  // has accessed before.
  void share_one_epoch() { one_epoch_ = true; }
  // On the new thread (or for one that already runs and is not attached yet).
  void attach(JNIEnv* jni, jthread thread, bool is_main = false);
  void end(JNIEnv* jni, jthread thread);
  // On a thread that has waited for the end of all threads that are no daemons: it is after all they did.
  void on_all_ended(engine::ThreadState& state) const { engine::VolatileSync::on_read(state, ends_); }

  // What is known of a thread for reports; also when it has ended.
  struct Info {
    std::string name;
    Creation creation{};
    bool is_main = false;
    bool is_daemon = false;
  };
  Info info_of(model::ThreadId id) const;
  // The number of a thread that is attached, else 0.
  model::ThreadId id_of(JNIEnv* jni, jthread thread) const;

 private:
  Info describe(JNIEnv* jni, jthread thread) const;
  void give_context(JNIEnv* jni, jthread thread);

  jvmtiEnv* const jvmti_;
  engine::Engine& engine_;
  Histories* const histories_;
  // Set by start(), constant afterwards.
  jfieldID epoch_ = nullptr;
  jfieldID read_epoch_ = nullptr;
  jfieldID state_ = nullptr;
  jfieldID clocks_ = nullptr;
  jfieldID sets_ = nullptr;
  jfieldID history_ = nullptr;
  jfieldID context_ = nullptr;
  jclass context_class_ = nullptr;
  jfieldID start_word_ = nullptr;
  jfieldID created_ = nullptr;
  std::atomic<jfieldID> alive_word_ = nullptr;  // set last
  bool one_epoch_ = false;
  engine::AtomicSyncWord ends_{};  // of the threads that are no daemons
  mutable std::mutex mutex_;
  std::vector<Info> infos_{Info{}};  // by ThreadId; under mutex_
};

}  // namespace deadheat::agent
