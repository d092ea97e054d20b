// SPDX-License-Identifier: Apache-2.0
#include "agent/hunt.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "agent/class_table.h"
#include "agent/lock_names.h"
#include "agent/object_class.h"
#include "agent/os_thread_linux.h"
#include "agent/own_thread.h"
#include "agent/watch_list.h"

namespace deadheat::agent {

namespace {

using schedule::EscortEnd;
using schedule::GateThread;
using schedule::LockType;
using schedule::MethodNumber;
using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Always allowed for holds; short programs get by with it.
constexpr std::int64_t kGrace = 2'000'000'000;
// How often a held thread looks whether who it waits for can still come.
constexpr milliseconds kTick{1};
// So many looks in a row: a short wait for a lock that somebody is about to leave is no reason to give up.
constexpr int kBlockedTicks = 5;
// Stacks that are looked at for one decision.
constexpr std::size_t kMostStacks = 16;
constexpr std::size_t kMostReversals = 10'000;
// ConTest: one request in so many is delayed, up to so long.
constexpr std::uint32_t kDelayOneIn = 4;
constexpr std::uint32_t kLongestDelay = 10'000;  // microseconds

std::uint32_t number(GateThread thread) { return static_cast<std::uint32_t>(thread); }

// Of the VM, of the JDK, or our own: their locks are not the program's.
bool is_helper(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread, std::string_view own, std::string& thread_name) {
  jvmtiThreadInfo info{};
  if (jvmti->GetThreadInfo(thread, &info) != JVMTI_ERROR_NONE) return true;
  bool helper = true;
  thread_name = info.name == nullptr ? "" : info.name;
  jvmtiThreadGroupInfo group{};
  if (info.thread_group != nullptr && jvmti->GetThreadGroupInfo(info.thread_group, &group) == JVMTI_ERROR_NONE) {
    const std::string_view name = group.name == nullptr ? "" : group.name;
    helper = name == "system" || name == "InnocuousThreadGroup" || thread_name == own;
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(group.name));
    if (group.parent != nullptr) jni->DeleteLocalRef(group.parent);
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(info.name));
  if (info.thread_group != nullptr) jni->DeleteLocalRef(info.thread_group);
  if (info.context_class_loader != nullptr) jni->DeleteLocalRef(info.context_class_loader);
  return helper;
}

}  // namespace

Hunt::Hunt(jvmtiEnv* jvmti, const HuntOptions& options, std::uint64_t seed, const SiteTable& sites, StackWalker& walker,
           const Threads& threads, RunLog& log)
    : jvmti_(jvmti),
      options_(options),
      seed_(seed),
      sites_(sites),
      walker_(walker),
      java_threads_(threads),
      log_(log),
      relations_(options.depth),
      gate_(seed, *this),
      budget_(kGrace, options.hold_share),
      random_(Random(~seed).next()) {
  if (options.relations.empty()) return;
  std::ifstream file(options.relations, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  bad_lines_ = relations_.read(text);
  given_ = relations_.size();
}

Hunt::~Hunt() = default;

Status Hunt::start(JNIEnv* jni) {
  const jclass thread = jni->FindClass("java/lang/Thread");
  const jclass type = jni->FindClass("java/lang/Class");
  gate_field_ = thread == nullptr ? nullptr : jni->GetFieldID(thread, "$dh$gate", "J");
  if (gate_field_ == nullptr || type == nullptr) {
    jni->ExceptionClear();
    return Error{"java.lang.Thread of this JDK is not as expected"};
  }
  class_class_ = static_cast<jclass>(jni->NewGlobalRef(type));
  JavaVM* vm = nullptr;
  if (jni->GetJavaVM(&vm) != JNI_OK || !start_own_thread([this, vm] { watch(vm); })) {
    return Error{"no thread is to be had for the watchdog of the hunt"};
  }
  return Ok{};
}

void Hunt::on_thread_start(JNIEnv* jni, jthread thread) {
  if (gate_field_ == nullptr || finished_.load() || jni->GetLongField(thread, gate_field_) != 0) return;
  std::string name;
  if (is_helper(jvmti_, jni, thread, kWatchdogName, name)) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  HuntThread& record = threads_.emplace_back();
  record.index = GateThread{static_cast<std::uint32_t>(threads_.size() - 1)};
  record.id = java_threads_.id_of(jni, thread);
  record.name = std::move(name);
  record.os_thread = gettid();
  record.thread = jni->NewGlobalRef(thread);
  jni->SetLongField(thread, gate_field_, reinterpret_cast<jlong>(&record));
}

void Hunt::on_thread_end(JNIEnv* jni, jthread thread) {
  if (gate_field_ == nullptr) return;
  auto* self = reinterpret_cast<HuntThread*>(jni->GetLongField(thread, gate_field_));
  if (self == nullptr) return;
  jni->SetLongField(thread, gate_field_, 0);
  const std::lock_guard<std::mutex> lock(mutex_);
  const jobject reference = std::exchange(self->thread, nullptr);
  deciding_ = jni;
  gate_.ended(self->index);
  wake_freed();
  jni->DeleteGlobalRef(reference);
}

std::int64_t Hunt::elapsed() const { return duration_cast<nanoseconds>(Clock::now() - begun_).count(); }

std::string Hunt::type_name(JNIEnv* jni, jobject lock, std::uint32_t site) const {
  const bool is_class = jni->IsInstanceOf(lock, class_class_);
  const std::string name = is_class ? name_of_class(jvmti_, static_cast<jclass>(lock)) : class_of(jvmti_, jni, lock);
  return lock_type_name(name, is_class, sites_.at(site).in->name);
}

MethodNumber Hunt::number_of(std::uint32_t walked) {
  if (numbers_.size() <= walked) numbers_.resize(walked + 1);
  std::optional<MethodNumber>& known = numbers_[walked];
  if (!known) {
    const StackFrame frame{walked, 0};
    std::string name(walker_.class_of(frame));
    std::replace(name.begin(), name.end(), '/', '.');
    known = relations_.method(name + "." + std::string(walker_.method_of(frame)));
  }
  return *known;
}

std::vector<MethodNumber> Hunt::methods_of(JNIEnv* jni, jthread thread) {
  const std::vector<std::uint32_t> walked = walker_.methods(jni, thread, options_.depth);
  // The JDK's outermost frames (Thread.run, an executor's worker) are on every stack and foretell nothing.
  const auto own = std::find_if(walked.rbegin(), walked.rend(), [&](std::uint32_t method) {
    return !looks_like_jdk(walker_.class_of(StackFrame{method, 0}));
  });
  std::vector<MethodNumber> methods;
  for (auto at = walked.begin(); at != own.base(); ++at) methods.push_back(number_of(*at));
  return methods;
}

void Hunt::request(JNIEnv* jni, HuntThread* self, jobject lock, std::uint32_t site) {
  if (class_class_ == nullptr || finished_.load(std::memory_order_relaxed)) return;
  const std::string name = type_name(jni, lock, site);
  std::unique_lock<std::mutex> guard(mutex_);
  ++requests_;
  const LockType type = relations_.type(name);
  std::vector<MethodNumber> stack = methods_of(jni, nullptr);
  bool good = relations_.learn(stack, type) > 0;
  if (self != nullptr) {
    self->requested = type;
    self->site = site;
    self->stack = std::move(stack);
    if (options_.strategy == "drfinder") good |= pass(guard, jni, *self, type);
    if (options_.strategy == "contest") delay(guard);
  }
  schedule::RequestPace& pace = paces_[site % kHuntPlaces];
  if (good) pace.good();
  skips_[site % kHuntPlaces] = static_cast<std::int32_t>(pace.skip(random_));
}

bool Hunt::can_run(const HuntThread& thread) const {
  jint state = 0;
  if (thread.thread == nullptr || jvmti_->GetThreadState(thread.thread, &state) != JVMTI_ERROR_NONE) return false;
  // A sleeper comes back by itself.
  if (state & JVMTI_THREAD_STATE_SLEEPING) return true;
  if (!(state & JVMTI_THREAD_STATE_RUNNABLE)) return false;
  // A read that waits looks like one that works.
  return !(state & JVMTI_THREAD_STATE_IN_NATIVE) || !is_asleep(thread.os_thread);
}

std::vector<GateThread> Hunt::running_towards(LockType type, GateThread besides) {
  std::vector<GateThread> found;
  if (threads_.empty() || finished_.load(std::memory_order_relaxed)) return found;
  // With very many threads a decision looks at some of them.
  const std::uint32_t count = static_cast<std::uint32_t>(threads_.size());
  const std::uint32_t first = random_.below(count);
  std::size_t looked = 0;
  for (std::uint32_t i = 0; i < count && looked < kMostStacks; ++i) {
    HuntThread& other = threads_[(first + i) % count];
    if (other.index == besides || other.at_gate || other.thread == nullptr || !can_run(other)) continue;
    ++looked;
    if (relations_.may_trigger(methods_of(deciding_, other.thread), type)) found.push_back(other.index);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool Hunt::waiting_may_trigger(GateThread waiting, LockType type) {
  return relations_.may_trigger(threads_[number(waiting)].stack, type);
}

bool Hunt::pass(std::unique_lock<std::mutex>& lock, JNIEnv* jni, HuntThread& self, LockType type) {
  const bool refused = !gate_.escort() && !budget_.allows(elapsed());
  if (refused) {
    ++refused_;
    return false;
  }
  deciding_ = jni;
  self.at_gate = true;
  const bool goes = gate_.request(self.index, type);
  wake_freed();
  if (goes) {
    self.at_gate = false;
    return false;
  }
  const Clock::time_point begun = Clock::now();
  const bool is_held = gate_.escort() && gate_.escort()->held == self.index;
  int blocked = 0;
  while (gate_.waits(self.index)) {
    self.freed.wait_for(lock, kTick);
    if (!gate_.waits(self.index)) break;
    deciding_ = jni;
    if (finished_.load() || Clock::now() - begun > milliseconds(options_.hold_limit)) {
      gate_.leave(self.index);
    } else if (gate_.escort() && gate_.escort()->held == self.index) {
      // Whoever is escorted may wait for a lock of ours, or for a thread that waits here: a deadlock of our making.
      blocked = can_run(threads_[number(gate_.escort()->escorted)]) ? 0 : blocked + 1;
      if (blocked >= kBlockedTicks) gate_.give_up(EscortEnd::kBlocked);
    }
    wake_freed();
  }
  self.at_gate = false;
  if (is_held) budget_.spend(duration_cast<nanoseconds>(Clock::now() - begun).count());
  return is_held;
}

void Hunt::wake_freed() {
  for (const GateThread thread : gate_.take_freed()) threads_[number(thread)].freed.notify_one();
  escorting_.store(gate_.escort() ? 1 : 0, std::memory_order_relaxed);
}

void Hunt::acquired(JNIEnv* jni, HuntThread& self) {
  const std::lock_guard<std::mutex> lock(mutex_);
  had(jni, self, self.requested);
}

void Hunt::released(JNIEnv* jni, HuntThread& self, jobject lock, std::uint32_t site) {
  const std::string name = type_name(jni, lock, site);
  const std::lock_guard<std::mutex> guard(mutex_);
  had(jni, self, relations_.type(name));
}

void Hunt::had(JNIEnv* jni, HuntThread& self, LockType type) {
  deciding_ = jni;
  const auto done = gate_.acquired(self.index, type);
  if (!done) return;
  if (reversals_.size() < kMostReversals) {
    const HuntThread& held = threads_[number(done->held)];
    reversals_.push_back({done->type, held.id, self.id, held.site, self.site});
  } else {
    ++reversals_not_kept_;
  }
  wake_freed();
}

void Hunt::delay(std::unique_lock<std::mutex>& lock) {
  if (!random_.one_in(kDelayOneIn)) return;
  if (!budget_.allows(elapsed())) {
    ++refused_;
    return;
  }
  const std::chrono::microseconds time(random_.below(kLongestDelay));
  ++delays_;
  budget_.spend(duration_cast<nanoseconds>(time).count());
  lock.unlock();
  // A time-out of a wait that nobody ends: the thread is asleep in native code.
  std::mutex own;
  std::condition_variable nobody;
  std::unique_lock<std::mutex> waiting(own);
  nobody.wait_for(waiting, time);
  lock.lock();
}

void Hunt::finish() {
  if (finished_.exchange(true)) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string text = relations_.text();
  log_.write_file("relations", {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  write_outcome();
  stop_watching_.notify_all();
}

}  // namespace deadheat::agent
