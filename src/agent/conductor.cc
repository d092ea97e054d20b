// SPDX-License-Identifier: Apache-2.0
#include "agent/conductor.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>

#include "agent/native_gates.h"
#include "agent/own_thread.h"
#include "agent/shim_layout.h"
#include "agent/site_name.h"
#include "schedule/decision_log_file.h"
#include "schedule/guided.h"
#include "schedule/pct.h"
#include "schedule/plan_file.h"
#include "schedule/pos.h"
#include "schedule/race_directed.h"
#include "schedule/random_walk.h"
#include "schedule/slices.h"

namespace deadheat::agent {

using schedule::Operation;
using schedule::OperationKind;
using schedule::Passage;

namespace {

// A thread that has ended in the model is really gone a moment later, as soon as it has had a processor; unless a
// thread outside the model holds the monitor of its Thread object. After these milliseconds we go on without it.
constexpr std::int64_t kDyingFor = 5'000;
constexpr int kDyingYields = 1'000;  // before we sleep between two looks

std::int64_t real_milliseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// After the plan's end a thread that made so many steps in a row gives way: it may spin.
constexpr std::uint64_t kGuidedStarvation = 100'000;

std::optional<std::string> file_bytes(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (!file) return std::nullopt;
  return bytes;
}

// A recorded survey shall go the way of one that is not, where most accesses are no steps.
constexpr std::uint64_t kAccessesAStep = 100;

// Long slices cost little; short ones at the beginning let the threads of a small program meet.
constexpr schedule::SliceLengths kSlices{
    .first = 10, .first_steps = 20'000, .second = 100, .growth = 2'000, .longest = 1'000};

model::SiteId site_id(std::string_view name) { return model::SiteId{stable_site_number(name)}; }

}  // namespace

Conductor::Conductor(jvmtiEnv* jvmti, const ScheduleOptions& options, const SiteTable& sites, const NativeWords& words,
                     const ClassTable& classes, StackWalker& walker, RunLog& log)
    : jvmti_(jvmti),
      options_(options),
      sites_(sites),
      classes_(classes),
      walker_(walker),
      log_(log),
      class_uses_(words, classes),
      locks_(jvmti) {}

Conductor::~Conductor() { finish(); }

Status Conductor::make_strategy() {
  schedule::RacePair pair;
  if (!options_.sites.empty()) pair = {site_id(options_.sites.front()), site_id(options_.sites.back())};
  const std::string& name = options_.strategy;
  if (name == "race") {
    if (options_.sites.empty()) return Error{"strategy=race needs at=SITE|SITE"};
    schedule::RaceDirectedOptions race;
    race.pair = pair;
    if (options_.resolution != "coin") {
      race.resolution =
          options_.resolution == "1" ? schedule::Resolution::kFirstSiteFirst : schedule::Resolution::kSecondSiteFirst;
    }
    if (options_.lead != 0) race.seed_until_met = options_.lead;
    if (const auto survey = schedule::parse_survey(options_.aim)) {
      race.survey = *survey;
      if (options_.trace) race.fair_run *= kAccessesAStep;
    } else if (options_.aim == "first") {
      race.one_side = pair.first;
    } else if (options_.aim == "second") {
      race.one_side = pair.second;
    } else if (options_.aim == "either") {
      race.run_on = true;
    } else if (!options_.aim.empty()) {
      auto aim = schedule::parse_aim(options_.aim);
      if (!aim.ok()) return aim.error();
      race.aim = std::move(aim.value());
      if (race.aim->stop) race.stop_site = site_id(race.aim->stop->site);
    }
    strategy_ = std::make_unique<schedule::RaceDirected>(options_.seed, race, this);
  } else if (name == "pct") {
    schedule::PctOptions pct;
    pct.depth = options_.depth;
    pct.expected_steps = options_.expected_steps;
    strategy_ = std::make_unique<schedule::Pct>(options_.seed, pct);
  } else if (name == "pos") {
    strategy_ = std::make_unique<schedule::Pos>(options_.seed);
  } else if (name == "replay") {
    const auto bytes = file_bytes(options_.replay);
    if (!bytes) return Error{"cannot read the decisions in " + options_.replay};
    auto decoded = schedule::decode_decision_log({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()});
    if (!decoded.ok()) return Error{options_.replay + ": " + decoded.error().message};
    replayed_ = std::move(decoded.value());
    auto replay = std::make_unique<schedule::Replay>(replayed_, pair, this, options_.until_race);
    replay_ = replay.get();
    strategy_ = std::move(replay);
  } else if (name == "guided") {
    const auto text = file_bytes(options_.replay);
    if (!text) return Error{"cannot read the plan in " + options_.replay};
    auto plan = schedule::parse_plan(*text);
    if (!plan.ok()) return Error{options_.replay + ": " + plan.error().message};
    strategy_ = std::make_unique<schedule::Guided>(std::move(plan.value()), kGuidedStarvation, pair, this);
  } else if (name == "events") {
    if (!options_.trace) return Error{"strategy=events needs trace=on"};
    const auto text = file_bytes(options_.replay);
    if (!text) return Error{"cannot read the schedule in " + options_.replay};
    auto script = schedule::parse_event_script(*text, site_id);
    if (!script.ok()) return Error{options_.replay + ": " + script.error().message};
    script_ = std::move(script.value());
    auto follower = std::make_unique<schedule::EventFollower>(script_, options_.seed, this);
    follower_ = follower.get();
    strategy_ = std::move(follower);
  } else if (name == "slices") {
    strategy_ = std::make_unique<schedule::Slices>(options_.seed, kSlices);
  } else {
    strategy_ = std::make_unique<schedule::RandomWalk>(options_.seed);
  }
  return Ok{};
}

Status Conductor::start(JNIEnv* jni, jthread main_thread) {
  const Status made = make_strategy();
  if (!made.ok()) return made.error();
  const jclass thread = jni->FindClass("java/lang/Thread");
  const jclass shim = jni->FindClass("java/lang/DeadheatNumbers");
  gate_field_ = thread == nullptr ? nullptr : jni->GetFieldID(thread, "$dh$gate", "J");
  const jmethodID key_of = shim == nullptr ? nullptr : jni->GetStaticMethodID(shim, "of", "(Ljava/lang/Object;)J");
  if (gate_field_ == nullptr || key_of == nullptr || !gate_.start(jni, gate_field_)) {
    jni->ExceptionClear();
    return Error{"java.lang.Thread of this JDK is not as expected"};
  }
  if (options_.agents_apart && !thread_ids_.start(jni)) {
    log_.warn("threads have the ids that this JVM gives them, which may differ from run to run", true);
  }
  clock_ = options_.clock != 0 ? options_.clock : real_milliseconds(CLOCK_REALTIME);
  schedule::SchedulerOptions settings;
  if (options_.step_limit != 0) settings.step_limit = options_.step_limit;
  if (!options_.decisions) settings.log_limit = 0;
  if (options_.trace) {
    EventSink* const sink = follower_ == nullptr ? nullptr : this;
    auto recorder = std::make_unique<TraceRecorder>(sites_, classes_, log_, sink);
    if (const Status opened = recorder->start(); !opened.ok()) return opened.error();
    recorder_ = std::move(recorder);
    settings.tell_operations = true;
  }
  JavaVM* vm = nullptr;
  jni->GetJavaVM(&vm);
  // The VM does not wait for it: it sees finished_ and ends.
  const bool watched = start_own_thread([this, vm] {
    adopted_.acquire();
    watch(vm);
  });
  if (!watched) return Error{"no thread is to be had for the watchdog of the scheduler"};
  scheduler_ = std::make_unique<schedule::Scheduler>(settings, *strategy_, gate_, this);
  if (!take_native_methods(jni, "java/lang/DeadheatGateMonitors", "takeNatives")) {
    log_.warn("waits and notifications by reflection, method handles or native code are not seen", true);
  }

  const auto key = static_cast<std::uint64_t>(jni->CallStaticLongMethod(shim, key_of, main_thread));
  adopt(jni, gate_.record(scheduler_->add_root(false)), main_thread, key);
  managed(jni, main_thread)->os_thread.store(gettid());
  adopted_.release();
  attached_.acquire();  // attaching runs Java code, which must not run beside the program's
  perform_silently(*managed(jni, main_thread), {.kind = OperationKind::kBegin}, 0);
  return Ok{};
}

// Where the shim looks for the view.
static_assert(offsetof(ManagedThread, view) == 0);

void Conductor::adopt(JNIEnv* jni, ManagedThread& record, jobject thread, std::uint64_t monitor_key) {
  record.thread = jni->NewGlobalRef(thread);
  record.monitor_key = monitor_key;
  if (recorder_ != nullptr) {
    recorder_->add_thread(record.index, monitor_key);
    // A re-execution is told of every event as it comes.
    if (follower_ == nullptr) {
      record.room = &scheduler_->room(record.index);
      record.view.ahead.open();
    }
  }
  jni->SetLongField(thread, gate_field_, reinterpret_cast<jlong>(&record));
}

ManagedThread* Conductor::managed(JNIEnv* jni, jthread thread) const {
  if (gate_field_ == nullptr) return nullptr;
  return reinterpret_cast<ManagedThread*>(jni->GetLongField(thread, gate_field_) & ~jlong{kGateHeld});
}

void Conductor::show(JNIEnv* jni, jthread thread, bool programs) {
  ManagedThread* const self = managed(jni, thread);
  if (self == nullptr) return;
  jni->SetLongField(thread, gate_field_, reinterpret_cast<jlong>(self) | (programs ? 0 : jlong{kGateHeld}));
}

void Conductor::start_child(JNIEnv* jni, ManagedThread& self, jobject thread, std::uint64_t monitor_key,
                            std::uint32_t site) {
  if (scheduler_->stopped()) return;
  jvmtiThreadInfo info{};
  const bool known = jvmti_->GetThreadInfo(thread, &info) == JVMTI_ERROR_NONE;
  if (known) {
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(info.name));
    if (info.thread_group != nullptr) jni->DeleteLocalRef(info.thread_group);
    if (info.context_class_loader != nullptr) jni->DeleteLocalRef(info.context_class_loader);
  }
  ManagedThread& child = gate_.record(scheduler_->add_child(self.index, known && info.is_daemon));
  adopt(jni, child, thread, monitor_key);
  perform(self, {.kind = OperationKind::kStart, .target = child.index}, site);
}

void Conductor::manage(JNIEnv* jni, jthread thread, std::uint64_t monitor_key) {
  if (scheduler_ == nullptr || scheduler_->stopped() || managed(jni, thread) != nullptr) return;
  ManagedThread& record = gate_.record(scheduler_->add_root(false));
  adopt(jni, record, thread, monitor_key);
  record.os_thread.store(gettid());
  scheduler_->point(record.index, {.kind = OperationKind::kBegin});
  await_the_dying();
  go_on(record);
}

void Conductor::on_thread_start(JNIEnv* jni, jthread thread) {
  ManagedThread* self = managed(jni, thread);
  // The main thread has begun in start().
  if (self == nullptr || to_number(self->index) == 0) return;
  self->os_thread.store(gettid());
  scheduler_->point(self->index, {.kind = OperationKind::kBegin});
  await_the_dying();
  go_on(*self);
}

void Conductor::on_thread_end(JNIEnv* jni, jthread thread) {
  ManagedThread* self = managed(jni, thread);
  if (self == nullptr) return;
  jni->SetLongField(thread, gate_field_, 0);
  catch_up(*self);
  self->room = nullptr;
  self->view.ahead.close();
  if (!scheduler_->stopped()) {
    const std::lock_guard<std::mutex> lock(dying_mutex_);
    dying_.push_back(self);
    any_dying_.store(true);
  }
  scheduler_->point(self->index, {.kind = OperationKind::kEnd, .object = self->monitor_key});
}

void Conductor::await_the_dying(ManagedThread* waiter, jobject monitor) {
  if (!any_dying_.load(std::memory_order_acquire)) return;
  const std::lock_guard<std::mutex> lock(dying_mutex_);
  awaiting_.store(true);
  bool was_interrupted = false;
  std::erase_if(dying_, [&](const ManagedThread* thread) {
    // One that stands before its end lives on.
    if (!scheduler_->has_ended(thread->index) && !scheduler_->stopped()) return false;
    const std::int64_t since = real_milliseconds(CLOCK_MONOTONIC);
    for (int i = 0; real_milliseconds(CLOCK_MONOTONIC) - since < kDyingFor; ++i) {
      jint state = 0;
      if (jvmti_->GetThreadState(thread->thread, &state) != JVMTI_ERROR_NONE) break;
      if ((state & JVMTI_THREAD_STATE_TERMINATED) && !gate_.is_alive(*thread)) break;
      if (monitor != nullptr) {
        was_interrupted |= gate_.let_in(*waiter, monitor);
      } else if (i < kDyingYields) {
        sched_yield();
      } else {
        const timespec pause{0, 100'000};
        nanosleep(&pause, nullptr);
      }
    }
    return true;
  });
  if (was_interrupted) gate_.put_back_interrupt(*waiter);
  awaiting_.store(false);
  any_dying_.store(!dying_.empty(), std::memory_order_release);
}

Passage Conductor::offer(ManagedThread& self, Operation op, const Site& site) {
  op.site = model::SiteId{site.stable};
  return site.silent ? scheduler_->silent(self.index, op) : scheduler_->point(self.index, op);
}

Passage Conductor::perform(ManagedThread& self, const Operation& given, std::uint32_t site) {
  catch_up(self);
  if (!self.known_classes.pending.empty()) settle_classes(self);
  Operation op = given;
  op.cookie = site;
  const Passage passage = offer(self, op, sites_.at(site));
  await_the_dying();
  go_on(self);
  return passage;
}

void Conductor::take_ahead(ManagedThread& thread) {
  scheduler_->catch_up(thread.index, [&](const schedule::World& world, const auto& tell) {
    thread.view.ahead.take([&](std::span<const AheadBuffer::Entry> entries) {
      if (!thread.regions.empty()) recorder_->on_regions(world, thread.index, thread.regions);
      thread.regions.clear();
      const schedule::AccessCounts counts = recorder_->on_accesses(world, thread.index, entries);
      if (!options_.decisions) return tell(counts);
      for (const AheadBuffer::Entry& entry : entries) {
        const Site& site = sites_.at(entry.site);
        tell({.kind = entry.kind(), .site = model::SiteId{site.stable}, .object = entry.object}, site.silent);
      }
    });
  });
}

void Conductor::rewind_ahead(ManagedThread& self) {
  scheduler_->catch_up(self.index, [&self](const schedule::World&, const auto&) { self.view.ahead.rewind(); });
}

void Conductor::catch_up_with_all() {
  gate_.for_each([this](ManagedThread& thread) {
    thread.view.ahead.shut();
    catch_up(thread);
  });
}

void Conductor::about_to_access(JNIEnv* jni, ManagedThread& self, std::uint32_t site) {
  if (sites_.at(site).sync_only) return;
  if (self.unscheduled != 0 && !options_.sites.empty()) {
    const std::lock_guard<std::mutex> lock(passed_mutex_);
    unheld_.insert(sites_.at(site).stable);
  }
  if (!self.locks.may_share()) return;
  unscheduled(self, true);
  self.locks.count_shared(jni);
  unscheduled(self, false);
}

void Conductor::passed_outside(JNIEnv* jni, std::uint32_t site) {
  if (options_.sites.empty() || sites_.at(site).sync_only || finished_.load()) return;
  const std::uint32_t stable = sites_.at(site).stable;
  const std::lock_guard<std::mutex> lock(passed_mutex_);
  if (by_outsider_.contains(stable)) return;
  jthread current = nullptr;
  if (jvmti_->GetCurrentThread(&current) != JVMTI_ERROR_NONE) return;
  if (managed(jni, current) == nullptr) by_outsider_[stable] = thread_name(current);
  jni->DeleteLocalRef(current);
}

Passage Conductor::perform_silently(ManagedThread& self, Operation op, std::uint32_t site) {
  catch_up(self);
  if (site != 0) op.site = model::SiteId{sites_.at(site).stable};
  op.cookie = site;
  const Passage passage = scheduler_->silent(self.index, op);
  await_the_dying();
  go_on(self);
  return passage;
}

void Conductor::perform_unsited(ManagedThread& self, const Operation& op) {
  catch_up(self);
  scheduler_->point(self.index, op);
  if (op.kind != OperationKind::kExternal) await_the_dying();
  go_on(self);
}

Passage Conductor::wait(JNIEnv* jni, ManagedThread& self, jobject object, Operation op, std::uint32_t site) {
  op.kind = OperationKind::kWaitBegin;
  Passage passage = perform(self, op, site);
  if (passage != Passage::kGranted) return passage;
  const jobject global = jni->NewGlobalRef(object);
  self.wait.store(ManagedThread::Wait::kNotYet);
  self.waits_on_key.store(op.object);
  self.waits_on.store(global);
  op.kind = OperationKind::kWaitEnd;
  op.cookie = site;
  passage = offer(self, op, sites_.at(site));
  // Control ended meanwhile. What would have woken it may have come already, in the model alone, and does not come
  // again: this wait ends for no reason, as any may.
  if (passage == Passage::kFreeRun) passage = Passage::kGranted;
  {
    const std::lock_guard<std::mutex> lock(outside_mutex_);  // against notify_from_outside
    self.waits_on.store(nullptr);
  }
  await_the_dying(&self, object);
  jni->DeleteGlobalRef(global);
  go_on(self);
  return passage;
}

void Conductor::notify_from_outside(JNIEnv* jni, jobject object) {
  if (scheduler_ == nullptr) return;
  std::uint64_t key = 0;
  {
    const std::lock_guard<std::mutex> lock(outside_mutex_);
    gate_.for_each([&](const ManagedThread& thread) {
      const jobject awaited = thread.waits_on.load();
      if (awaited != nullptr && jni->IsSameObject(awaited, object)) key = thread.waits_on_key.load();
    });
  }
  if (key != 0) scheduler_->notify_all(key);
}

void Conductor::waits_outside(JNIEnv* jni, jobject object, bool begins) {
  const std::lock_guard<std::mutex> lock(outside_mutex_);
  if (begins) {
    awaited_outside_.push_back(jni->NewGlobalRef(object));
  } else {
    const auto found = std::find_if(awaited_outside_.begin(), awaited_outside_.end(),
                                    [&](jobject awaited) { return jni->IsSameObject(awaited, object); });
    if (found != awaited_outside_.end()) {
      jni->DeleteGlobalRef(*found);
      awaited_outside_.erase(found);
    }
  }
  outside_.store(static_cast<std::uint32_t>(awaited_outside_.size()));
}

bool Conductor::is_awaited_outside(JNIEnv* jni, jobject object) {
  if (outside_.load() == 0) return false;
  const std::lock_guard<std::mutex> lock(outside_mutex_);
  return std::any_of(awaited_outside_.begin(), awaited_outside_.end(),
                     [&](jobject awaited) { return jni->IsSameObject(awaited, object); });
}

void Conductor::order_after(ManagedThread& self, const std::vector<std::uint32_t>& inits) {
  for (const std::uint32_t init : inits) {
    perform_silently(self, {.kind = OperationKind::kVolatileRead, .object = kInitialiserKey | init}, 0);
  }
}

void Conductor::use_statics(ManagedThread& self, std::uint32_t site) {
  const FieldUse* field = sites_.at(site).field;
  if (recorder_ == nullptr || field == nullptr) return;
  if (!self.known_classes.uses.contains(field)) {
    std::vector<std::uint32_t> after;
    class_uses_.use(self.known_classes, self.index, *field, after);
    order_after(self, after);
    if (!self.known_classes.pending.empty()) go_on(self);
  }
  if (self.known_classes.uses.contains(field)) self.view.sites.put(site);
}

void Conductor::use_class(ManagedThread& self, std::uint32_t init) {
  if (recorder_ == nullptr) return;
  if (!self.known_classes.inits.contains(init)) {
    std::vector<std::uint32_t> after;
    class_uses_.use(self.known_classes, self.index, init, after);
    order_after(self, after);
    // Its next access is after what it is made to wait for.
    if (!self.known_classes.pending.empty()) go_on(self);
  }
  if (self.known_classes.inits.contains(init)) self.view.inits.put(init);
}

void Conductor::settle_classes(ManagedThread& self) {
  std::vector<std::uint32_t> after;
  class_uses_.settle(self.known_classes, self.index, after);
  order_after(self, after);
}

void Conductor::initialise(ManagedThread& self, std::uint32_t init, bool begins) {
  if (recorder_ == nullptr) return;
  if (begins) {
    std::vector<std::uint32_t> after;
    class_uses_.on_begin(self.known_classes, self.index, init, after);
    order_after(self, after);
    return;
  }
  perform_silently(self, {.kind = OperationKind::kVolatileWrite, .object = kInitialiserKey | init}, 0);
  class_uses_.on_end(init);
}

void Conductor::initialiser_failure(ManagedThread& self, bool happens) {
  if (recorder_ == nullptr) return;
  const OperationKind kind = happens ? OperationKind::kVolatileWrite : OperationKind::kVolatileRead;
  perform_silently(self, {.kind = kind, .object = kInitialiserKey | kFailedInit}, 0);
}

void Conductor::lock_natively(ManagedThread& self, std::uint64_t monitor, bool taken) {
  const Operation op{.kind = OperationKind::kLock, .object = monitor};
  if (!taken) {
    perform_silently(self, op, 0);
    return;
  }
  catch_up(self);
  scheduler_->took(self.index, op);
  go_on(self);
}

void Conductor::show_state(JNIEnv* jni, ManagedThread& self, ManagedThread* target, std::uint32_t site) {
  const schedule::ThreadIndex shown = target == nullptr ? schedule::kNoThread : target->index;
  perform(self, {.kind = OperationKind::kLook, .target = shown}, site);
  if (target != nullptr && target != &self) gate_.show_state(jni, *target, scheduler_->condition(target->index));
}

void Conductor::unscheduled(ManagedThread& self, bool enter) {
  catch_up(self);
  if (enter) {
    ++self.unscheduled;
    scheduler_->enter_unscheduled(self.index);
  } else {
    if (self.unscheduled != 0) --self.unscheduled;
    scheduler_->leave_unscheduled(self.index);
  }
  go_on(self);
}

void Conductor::look_at_clock(ManagedThread& self, std::uint32_t site) {
  catch_up(self);
  scheduler_->point(self.index,
                    {.kind = OperationKind::kClock, .site = model::SiteId{sites_.at(site).stable}, .cookie = site});
  await_the_dying();
  go_on(self);
}

// When control has ended, time goes on as it does outside: a loop until some time must come to its end.
std::int64_t Conductor::nano_time() const {
  const std::int64_t stopped = stopped_at_.load(std::memory_order_acquire);
  const std::int64_t since = stopped == 0 ? 0 : std::chrono::steady_clock::now().time_since_epoch().count() - stopped;
  return static_cast<std::int64_t>(scheduler_->now()) + since;
}

std::int64_t Conductor::wall_clock() const { return clock_ + nano_time() / 1'000'000; }

std::int64_t Conductor::wall_nanos() const { return clock_ * 1'000'000 + nano_time(); }

void Conductor::finish() {
  if (finished_.exchange(true) || scheduler_ == nullptr) return;
  catch_up_with_all();
  write_outcome();
  scheduler_->stop(schedule::StopReason::kHost);
  if (recorder_ != nullptr) recorder_->finish();
}

}  // namespace deadheat::agent
