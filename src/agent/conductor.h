// SPDX-License-Identifier: Apache-2.0
//
// The controlled scheduler of one JVM: binds schedule::Scheduler to Java threads. The shim's hooks (DeadheatGate*.java)
// call it on the thread they are about; everything it learns goes to the run log as records, and the decisions to the
// file `decisions` beside them.
//
// Which threads are managed: the main thread and all that managed threads start, except the JDK's own helpers; virtual
// threads too, which have a thread of their own each. All others run as they like and are outside the model.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/class_uses.h"
#include "agent/jvm_gate.h"
#include "agent/lock_calls.h"
#include "agent/numbered_locks.h"
#include "agent/options.h"
#include "agent/os_thread_linux.h"
#include "agent/run_log.h"
#include "agent/site_table.h"
#include "agent/stack_walker.h"
#include "agent/thread_ids.h"
#include "agent/trace_recorder.h"
#include "base/json_writer.h"
#include "schedule/event_follower.h"
#include "schedule/listener.h"
#include "schedule/replay.h"
#include "schedule/scheduler.h"

namespace deadheat::agent {

class Conductor final : public schedule::Listener, private EventSink {
 public:
  Conductor(jvmtiEnv* jvmti, const ScheduleOptions& options, const SiteTable& sites, const NativeWords& words,
            const ClassTable& classes, StackWalker& walker, RunLog& log);
  ~Conductor() override;

  // In VMInit, on the main thread, which is managed from here on. An error says what is wrong with the options or the
  // JVM; then nothing is scheduled.
  Status start(JNIEnv* jni, jthread main_thread);
  // Whether what the current thread runs from here on is the program's; else nothing of it is seen.
  void show(JNIEnv* jni, jthread thread, bool programs);
  // The current thread, which nobody managed has started, from here on. Unless it is already.
  void manage(JNIEnv* jni, jthread thread, std::uint64_t monitor_key);
  void on_thread_start(JNIEnv* jni, jthread thread);
  void on_thread_end(JNIEnv* jni, jthread thread);
  // The VM is going down: everybody is let go and the outcome written. Once.
  void finish();

  // ---- the hooks; `self` has been read from the thread's field
  // An operation at a site: offers a switch unless the site is silent.
  schedule::Passage perform(ManagedThread& self, const schedule::Operation& op, std::uint32_t site);
  // Before an access: where threads may meet, what a thread holds is found out by itself.
  void about_to_access(JNIEnv* jni, ManagedThread& self, std::uint32_t site);
  // A thread that is not managed comes to a site.
  void passed_outside(JNIEnv* jni, std::uint32_t site);
  // A silent operation: never offers a switch unless the thread has to wait.
  schedule::Passage perform_silently(ManagedThread& self, schedule::Operation op, std::uint32_t site);
  // Without a site, and with a switch.
  void perform_unsited(ManagedThread& self, const schedule::Operation& op);
  schedule::Passage wait(JNIEnv* jni, ManagedThread& self, jobject object, schedule::Operation op, std::uint32_t site);
  void start_child(JNIEnv* jni, ManagedThread& self, jobject thread, std::uint64_t monitor_key, std::uint32_t site);
  // Of a thread that a managed one makes; 0: the VM's.
  std::int64_t next_thread_id() { return thread_ids_.next(); }
  // Before `self` asks for the state of another thread. Who asks again and again waits for others: a switch is offered.
  void show_state(JNIEnv* jni, ManagedThread& self, ManagedThread* target, std::uint32_t site);
  void unscheduled(ManagedThread& self, bool enter);
  // When a trace is recorded: a method that is meant to be atomic is entered or left.
  void atomic_region(ManagedThread& self, std::uint32_t site, bool enter) {
    if (recorder_ == nullptr) return;
    catch_up(self);
    self.regions.push_back({site, enter, self.unscheduled != 0});
  }
  // When a trace is recorded: what the initialiser of a class did happens before the uses of the class.
  void use_statics(ManagedThread& self, std::uint32_t site);
  void use_class(ManagedThread& self, std::uint32_t init);
  void initialise(ManagedThread& self, std::uint32_t init, bool begins);
  // An initialiser throws; or a class is used whose initialiser has.
  void initialiser_failure(ManagedThread& self, bool happens);
  // Native code is about to enter a monitor; or, if it is `taken`, has.
  void lock_natively(ManagedThread& self, std::uint64_t monitor, bool taken);
  // When a trace is recorded, a method of one of the JDK's locks (lock_calls.h). What is done in it is not offered to
  // the strategy but at its beginning, unless the thread has to wait, and not recorded but as what it means.
  struct JdkLock {
    jobject synchroniser;
    std::uint64_t key;
    std::uint64_t subject = 0;  // of the condition, where the method is one's
    bool barging = false;       // a thread may take the lock though others queue for it
  };
  // site: of the method, where the call's own is not known.
  void enter_lock_call(JNIEnv* jni, ManagedThread& self, LockCall call, const JdkLock& lock, std::uint32_t site);
  void leave_lock_call(JNIEnv* jni, ManagedThread& self, LockCall call, const JdkLock& lock);
  // The same of a StampedLock. Whether the method is not called by another one of the lock.
  bool enter_stamped_call(ManagedThread& self, LockCall call, std::uint64_t lock, std::uint32_t site);
  // holds: who holds it now; what it was and the stamp are in the thread's view (GateView::lock_holds).
  void leave_stamped_call(ManagedThread& self, LockCall call, std::uint64_t lock, int holds);
  // In such a method: the thread has become the owner, or is about to be it no more.
  void lock_owned(ManagedThread& self, std::uint64_t lock, bool taken);
  // From threads that are not managed.
  void unpark(ManagedThread& target) { scheduler_->unpark(target.index); }
  void interrupt(ManagedThread& target) { scheduler_->interrupt(target.index); }
  void notify_from_outside(JNIEnv* jni, jobject object);
  void waits_outside(JNIEnv* jni, jobject object, bool begins);
  // Whether a thread that is not managed waits on the object.
  bool is_awaited_outside(JNIEnv* jni, jobject object);
  void notify_for_real(JNIEnv* jni, jobject object) { gate_.notify_for_real(jni, object); }
  // A step, in code that is not watched too: a loop until some time must come to its end.
  void look_at_clock(ManagedThread& self, std::uint32_t site);
  // Nanoseconds since the start, and milliseconds since 1970, in the model's time.
  std::int64_t nano_time() const;
  std::int64_t wall_clock() const;
  std::int64_t wall_nanos() const;  // since 1970
  void uncaught(JNIEnv* jni, ManagedThread& self, jthrowable thrown);

  // ---- schedule::Listener
  schedule::AfterDeadlock on_deadlock(const schedule::World& world, const schedule::Deadlock& deadlock) override;
  void on_race(const schedule::World& world, const schedule::Meeting& meeting) override;
  void on_step(const schedule::World& world, schedule::ThreadIndex thread, std::uint32_t step) override;
  void on_stop(const schedule::World& world, schedule::StopReason reason) override;
  void on_operation(const schedule::World& world, schedule::ThreadIndex thread, const schedule::Operation& op,
                    schedule::Passage passage) override {
    std::vector<RegionMark>& regions = gate_.record(thread).regions;
    if (!regions.empty()) recorder_->on_regions(world, thread, regions);
    regions.clear();
    recorder_->on_operation(world, thread, op, passage);
  }

 private:
  void on_event(const schedule::World& world, schedule::ThreadIndex thread, model::EventKind kind, model::SiteId site,
                std::uint64_t object, bool soft) override {
    follower_->on_event(world, thread, kind, site, object, soft);
  }
  void write_followed();
  Status make_strategy();
  // Accesses that the thread has made ahead: before everything else that is about it. Also from other threads.
  void catch_up(ManagedThread& thread) {
    if (thread.view.ahead.has_more()) take_ahead(thread);
  }
  void take_ahead(ManagedThread& thread);
  void catch_up_with_all();
  // The thread goes on, and may run ahead for as long as the scheduler has nothing to decide.
  void go_on(ManagedThread& self) {
    if (self.room == nullptr) return;
    if (self.view.ahead.is_low()) rewind_ahead(self);
    self.view.ahead.allow(self.known_classes.pending.empty() ? *self.room : 0);
  }
  void rewind_ahead(ManagedThread& self);
  schedule::Passage offer(ManagedThread& self, schedule::Operation op, const Site& site);
  void settle_classes(ManagedThread& self);
  bool begin_lock_call(ManagedThread& self, std::uint64_t lock, std::uint32_t site, bool looks = false);
  bool leave_call(ManagedThread& self);
  void end_lock_call(ManagedThread& self, std::uint64_t lock);
  void tell_lock(ManagedThread& self, LockEvent event, std::uint64_t lock, std::uint32_t site,
                 std::uint64_t condition = 0);
  void order_after(ManagedThread& self, const std::vector<std::uint32_t>& inits);
  ManagedThread* managed(JNIEnv* jni, jthread thread) const;
  void adopt(JNIEnv* jni, ManagedThread& record, jobject thread, std::uint64_t monitor_key);
  // Threads that have ended in the model and not yet for real: whoever goes on next waits for them, so that isAlive()
  // says what the model says. `monitor`: what this thread, `waiter`, has just waited on; a thread that dies wants that
  // of its own Thread object, so it is let in.
  void await_the_dying(ManagedThread* waiter = nullptr, jobject monitor = nullptr);
  void watch(JavaVM* vm);
  void watch_once();
  void watch_hold();
  bool somebody_enters_a_wait(schedule::ThreadIndex except);
  void write_outcome();
  // Which of the sites that were asked for the program has, and which were reached.
  void write_wanted(JsonWriter& json, const schedule::DecisionLog& decisions);
  // A thread was found blocked outside the model: where.
  void write_aside(schedule::ThreadIndex thread);
  // What a thread that cannot go on waits for (docs/records.md, `deadlock`).
  struct Awaited {
    const char* what = "";
    schedule::ThreadIndex holder = schedule::kNoThread;  // who would have to act, if that is a managed thread
    std::string holder_name = {};
    std::string lock = {};  // what is locked, waited on, or parked for
  };
  Awaited awaited_by(JNIEnv* jni, const schedule::Deadlock::Blocked& blocked);
  jobject owned_monitor(JNIEnv* jni, const ManagedThread& owner, std::uint64_t key);
  std::uint64_t key_of(JNIEnv* jni, jobject object);
  bool is_in_join(JNIEnv* jni, const ManagedThread& thread);
  std::string thread_name(jthread thread) const;
  void write_thread(JsonWriter& json, schedule::ThreadIndex thread);
  // The thread, what it holds and its stack.
  void write_place(JsonWriter& json, const schedule::World& world, schedule::ThreadIndex thread);
  void write_access(JsonWriter& json, const schedule::World& world, schedule::ThreadIndex thread,
                    const schedule::Operation& op);
  void write_held(JsonWriter& json, const ManagedThread& thread);
  void write_stack(JsonWriter& json, jthread thread);

  jvmtiEnv* const jvmti_;
  const ScheduleOptions options_;
  const SiteTable& sites_;
  const ClassTable& classes_;
  StackWalker& walker_;
  RunLog& log_;
  JvmGate gate_;
  ThreadIds thread_ids_;
  schedule::DecisionLog replayed_;
  std::unique_ptr<schedule::Strategy> strategy_;
  schedule::Replay* replay_ = nullptr;  // strategy_, when it is one
  schedule::EventScript script_;
  schedule::EventFollower* follower_ = nullptr;  // strategy_, when it is one
  std::unique_ptr<TraceRecorder> recorder_;      // null: no trace is recorded
  ClassUses class_uses_;
  std::unique_ptr<schedule::Scheduler> scheduler_;
  jfieldID gate_field_ = nullptr;
  std::int64_t clock_ = 0;                   // milliseconds since 1970 at virtual time 0
  std::atomic<std::int64_t> stopped_at_{0};  // when control ended, by the steady clock; 0: it has not

  std::mutex dying_mutex_;
  std::vector<const ManagedThread*> dying_;  // under dying_mutex_
  std::atomic<bool> any_dying_{false};
  std::atomic<bool> awaiting_{false};  // whose turn it is waits for the dying: that is no block outside the model

  std::mutex outside_mutex_;
  std::vector<jobject> awaited_outside_;   // global references; under outside_mutex_
  std::atomic<std::uint32_t> outside_{0};  // their number

  // Of the sites that were asked for, by their stable numbers: where a thread came by that could not be held.
  std::mutex passed_mutex_;
  std::unordered_set<std::uint32_t> unheld_;                    // in a class initialiser, or while a class was loaded
  std::unordered_map<std::uint32_t, std::string> by_outsider_;  // the first thread that is not managed

  std::binary_semaphore adopted_{0};   // the main thread is managed: the watchdog may begin
  std::binary_semaphore attached_{0};  // the watchdog is ready
  std::atomic<bool> finished_{false};
  std::atomic<bool> deadlocked_{false};
  // until=race: everybody is held at the meeting, for a debugger; and whether it came to that, so that time is no
  // limit.
  std::atomic<bool> held_{false};
  std::atomic<bool> was_held_{false};
  std::atomic<int> end_process_{0};  // not 0: the watchdog ends the process with this status
  std::uint32_t meetings_told_ = 0;  // under the scheduler's lock
  NumberedLocks locks_;              // likewise
  // The watchdog's own.
  std::uint64_t seen_operations_ = 0;
  std::int64_t stuck_since_ = 0;  // no operation since
  ThreadSample seen_sample_;      // of the thread whose turn it is, the first since it sleeps
  std::int64_t asleep_since_ = 0;
  std::uint32_t asides_told_ = 0;
};

}  // namespace deadheat::agent
