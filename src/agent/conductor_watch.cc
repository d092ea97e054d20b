// SPDX-License-Identifier: Apache-2.0
//
// The watchdog of the controlled scheduler: a thread of its own that looks a few hundred times a second whether the
// thread whose turn it is is blocked where the model does not see it (I/O, a lock of native code, a lock of the VM's).
// Then it is set aside and the others go on. A thread that computes keeps its turn.
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "agent/conductor.h"

namespace deadheat::agent {

namespace {

constexpr std::int64_t kPeriod = 2;  // milliseconds
// Blocked on a monitor, in a wait or asleep: that does not pass by itself.
constexpr std::int64_t kBlockedFor = 6;
// In native code: a read that waits looks like one that works.
constexpr std::int64_t kNativeFor = 40;
// Neither, and asleep all the same: it waits in the VM (for a class that another thread initialises), or for the end of
// a long collection.
constexpr std::int64_t kInVmFor = 1'000;
// A thread that was started and has not shown up. Its start has failed: a busy machine does not take as long.
constexpr std::int64_t kUnbornFor = 20'000;
// A switch is under way: the thread whose turn it is is being told so, or one that gave it up is entering its wait. A
// busy machine may take its time over that; longer than this, somebody outside the model holds a monitor they need.
constexpr std::int64_t kWakingFor = 2'000;
// Everybody waits, one of them for something outside: timers go on after this.
constexpr std::int64_t kIdleFor = 20;
constexpr int kTimeLimitStatus = 3;

std::int64_t milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace

void Conductor::watch(JavaVM* vm) {
  JavaVMAttachArgs args{JNI_VERSION_1_8, const_cast<char*>("deadheat watchdog"), nullptr};
  void* env = nullptr;
  const bool attached = vm->AttachCurrentThreadAsDaemon(&env, &args) == JNI_OK;
  attached_.release();
  if (!attached) return;
  const std::int64_t begun = milliseconds();
  while (!finished_.load()) {
    timespec pause{0, kPeriod * 1'000'000};
    nanosleep(&pause, nullptr);
    watch_once();
    if (const int status = end_process_.load(); status != 0 && !finished_.exchange(true)) {
      catch_up_with_all();
      write_outcome();
      if (recorder_ != nullptr) recorder_->finish();
      _exit(status);
    }
    if (options_.time_limit != 0 && !was_held_.load() &&
        milliseconds() - begun > std::int64_t{options_.time_limit} * 1000 && !finished_.exchange(true)) {
      catch_up_with_all();
      scheduler_->stop(schedule::StopReason::kTimeLimit);
      write_outcome();
      if (recorder_ != nullptr) recorder_->finish();
      _exit(kTimeLimitStatus);
    }
  }
  vm->DetachCurrentThread();
}

// A thread on its way into a real Object.wait (for the first time, or again because a notifyAll was meant for another)
// holds its monitor until it has had a processor: who is blocked on that has not left the model.
bool Conductor::somebody_enters_a_wait(schedule::ThreadIndex except) {
  std::vector<jobject> waiters;
  gate_.for_each([&](const ManagedThread& thread) {
    const bool waits = thread.waits_on.load() != nullptr && thread.wait.load() < ManagedThread::Wait::kWoken;
    if (waits && thread.index != except) waiters.push_back(thread.thread);
  });
  return std::any_of(waiters.begin(), waiters.end(), [this](jobject thread) {
    jint state = 0;
    return jvmti_->GetThreadState(thread, &state) == JVMTI_ERROR_NONE && !(state & JVMTI_THREAD_STATE_IN_OBJECT_WAIT);
  });
}

// Everybody stands still for a debugger until the file `go` appears beside the records.
void Conductor::watch_hold() {
  if (access((log_.folder() + "/go").c_str(), F_OK) != 0) return;
  held_.store(false);
  scheduler_->nudge();
}

void Conductor::watch_once() {
  if (held_.load()) return watch_hold();
  schedule::Pulse pulse = scheduler_->pulse();
  if (pulse.holder != schedule::kNoThread && pulse.holder_arrived) {
    catch_up(gate_.record(pulse.holder));  // it may be far ahead, and not come by for long
    pulse = scheduler_->pulse();
  }
  const std::int64_t now = milliseconds();
  if (pulse.stopped || pulse.operations != seen_operations_ || awaiting_.load()) {
    seen_operations_ = pulse.operations;
    seen_sample_ = {};
    stuck_since_ = now;
    return;
  }
  const std::int64_t stuck = now - stuck_since_;
  if (pulse.idle) {
    if (stuck < kIdleFor) return;
    if (!scheduler_->jump_idle_time()) scheduler_->nudge();
    stuck_since_ = now;
    return;
  }
  if (pulse.holder == schedule::kNoThread) return;
  if (!pulse.holder_arrived) {
    if (stuck >= kUnbornFor) scheduler_->abandon(pulse.holder);
    return;
  }
  if (pulse.waking && stuck < kWakingFor) return;
  ManagedThread& holder = gate_.record(pulse.holder);
  const jobject thread = holder.thread;
  // Unless it has slept all the time, it works.
  const ThreadSample sample = sample_thread(holder.os_thread.load());
  if (!sample.asleep || sample != seen_sample_) {
    seen_sample_ = sample;
    asleep_since_ = now;
    return;
  }
  const std::int64_t asleep = now - asleep_since_;
  jint state = 0;
  if (thread == nullptr || jvmti_->GetThreadState(thread, &state) != JVMTI_ERROR_NONE) return;
  if (state & JVMTI_THREAD_STATE_SUSPENDED) return;  // a debugger has it
  constexpr jint kBlocked =
      JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER | JVMTI_THREAD_STATE_WAITING | JVMTI_THREAD_STATE_SLEEPING;
  const bool blocked = (state & kBlocked) != 0 && asleep >= kBlockedFor;
  const bool in_native = (state & JVMTI_THREAD_STATE_IN_NATIVE) != 0 && asleep >= kNativeFor;
  if (blocked && stuck < kWakingFor && somebody_enters_a_wait(pulse.holder)) return;
  if (!blocked && !in_native && asleep < kInVmFor) return;
  holder.view.ahead.shut();
  if (scheduler_->set_aside(pulse.holder, pulse.operations)) write_aside(pulse.holder);
}

}  // namespace deadheat::agent
