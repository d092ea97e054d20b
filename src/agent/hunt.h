// SPDX-License-Identifier: Apache-2.0
//
// `deadheat hunt` inside one JVM: learns may-trigger relations at lock requests, and at the gate holds threads as
// schedule::LockGate says, or delays them at random (ConTest's noise). The program's threads run in parallel; they only
// meet here at lock requests that are looked at (RequestPace). A held thread waits in native code, so the VM can reach
// a safepoint, and never longer than the limit; all holds together take a bounded share of the run (HoldBudget).
//
// Which threads can be held or escorted: the main thread and those started after it, except the JDK's own helpers and
// virtual threads. docs/hunt.md.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "agent/options.h"
#include "agent/run_log.h"
#include "agent/shim_layout.h"
#include "agent/site_table.h"
#include "agent/stack_walker.h"
#include "agent/threads.h"
#include "base/json_writer.h"
#include "base/random.h"
#include "base/result.h"
#include "schedule/lock_gate.h"
#include "schedule/may_trigger.h"
#include "schedule/request_pace.h"

namespace deadheat::agent {

// One thread that can be held. Its address is in the field $dh$gate of the Java thread while that lives; the record
// itself is never freed. Everything but the constants is under Hunt's lock.
struct HuntThread {
  schedule::GateThread index{};
  model::ThreadId id{};
  std::string name;
  int os_thread = 0;
  jobject thread = nullptr;  // a global reference; null: ended
  bool at_gate = false;
  schedule::LockType requested{};             // the last one
  std::uint32_t site = 0;                     // of that request
  std::vector<schedule::MethodNumber> stack;  // at that request, if it is at the gate
  std::condition_variable freed;
};

class Hunt final : public schedule::Foresight {
 public:
  Hunt(jvmtiEnv* jvmti, const HuntOptions& options, std::uint64_t seed, const SiteTable& sites, StackWalker& walker,
       const Threads& threads, RunLog& log);
  ~Hunt() override;

  // In VMInit.
  Status start(JNIEnv* jni);
  void on_thread_start(JNIEnv* jni, jthread thread);
  void on_thread_end(JNIEnv* jni, jthread thread);
  // The relations and the outcome are written, and nobody is held any more. Once.
  void finish();

  // ---- the hooks (DeadheatHunt.java), on the thread they are about; `self` is null for one that is not held
  void request(JNIEnv* jni, HuntThread* self, jobject lock, std::uint32_t site);
  // The monitor that was requested last is its own.
  void acquired(JNIEnv* jni, HuntThread& self);
  // A lock of java.util.concurrent was given up.
  void released(JNIEnv* jni, HuntThread& self, jobject lock, std::uint32_t site);

  // What the shim reads: how many requests to skip at each place, and whether somebody is escorted.
  const std::int32_t* places() const { return skips_.get(); }
  const std::atomic<std::int32_t>* escort_mark() const { return &escorting_; }

  // The member `hunt` of a race: which reversed lock orders its two threads have seen last.
  void write_exposure(JsonWriter& json, model::ThreadId thread, model::ThreadId other) const;

  // ---- schedule::Foresight, under the lock
  std::vector<schedule::GateThread> running_towards(schedule::LockType type, schedule::GateThread besides) override;
  bool waiting_may_trigger(schedule::GateThread waiting, schedule::LockType type) override;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr const char* kWatchdogName = "deadheat watchdog";
  // A lock order that came out the other way round because of a hold.
  struct Reversal {
    schedule::LockType type{};
    model::ThreadId held{}, first{};
    std::uint32_t held_site = 0, first_site = 0;
  };

  std::string type_name(JNIEnv* jni, jobject lock, std::uint32_t site) const;
  std::vector<schedule::MethodNumber> methods_of(JNIEnv* jni, jthread thread);
  schedule::MethodNumber number_of(std::uint32_t walked);
  // Keeps the thread at the gate as long as it has to; under the lock. Whether it was held for an escort.
  bool pass(std::unique_lock<std::mutex>& lock, JNIEnv* jni, HuntThread& self, schedule::LockType type);
  // The thread has had a lock of this type; under the lock.
  void had(JNIEnv* jni, HuntThread& self, schedule::LockType type);
  void delay(std::unique_lock<std::mutex>& lock);
  void wake_freed();
  // Whether the thread can go on by itself.
  bool can_run(const HuntThread& thread) const;
  // The watchdog (hunt_deadlock.cc).
  void watch(JavaVM* vm);
  void end_deadlocked(JNIEnv* jni, const std::vector<jlong>& cycle);
  std::int64_t elapsed() const;
  void write_outcome() const;

  jvmtiEnv* const jvmti_;
  const HuntOptions options_;
  const std::uint64_t seed_;
  const SiteTable& sites_;
  StackWalker& walker_;
  const Threads& java_threads_;
  RunLog& log_;
  const Clock::time_point begun_ = Clock::now();
  const std::unique_ptr<std::int32_t[]> skips_ = std::make_unique<std::int32_t[]>(kHuntPlaces);
  std::atomic<std::int32_t> escorting_{0};
  std::atomic<bool> finished_{false};
  std::condition_variable stop_watching_;
  jfieldID gate_field_ = nullptr;
  jclass class_class_ = nullptr;

  mutable std::mutex mutex_;  // everything below
  schedule::MayTrigger relations_;
  std::size_t given_ = 0;      // relations from earlier runs
  std::size_t bad_lines_ = 0;  // of their file
  schedule::LockGate gate_;
  schedule::HoldBudget budget_;
  Random random_;
  std::vector<schedule::RequestPace> paces_ = std::vector<schedule::RequestPace>(kHuntPlaces);
  std::deque<HuntThread> threads_;                              // by GateThread
  std::vector<std::optional<schedule::MethodNumber>> numbers_;  // by the walker's number
  std::vector<Reversal> reversals_;
  JNIEnv* deciding_ = nullptr;  // of the thread that asks the gate
  std::uint64_t requests_ = 0, delays_ = 0, refused_ = 0, reversals_not_kept_ = 0;
};

}  // namespace deadheat::agent
