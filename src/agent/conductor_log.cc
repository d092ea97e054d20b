// SPDX-License-Identifier: Apache-2.0
//
// What the controlled scheduler leaves in the run log: meetings of a racing pair, uncaught exceptions, and the outcome
// with the decisions. (Deadlocks: conductor_deadlock.cc.)
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <unordered_map>
#include <unordered_set>

#include "agent/agent.h"
#include "agent/conductor.h"
#include "agent/object_class.h"
#include "agent/site_name.h"
#include "base/json_writer.h"
#include "schedule/decision_log_file.h"

namespace deadheat::agent {

namespace {

// What the process exits with when the schedule has led into a deadlock: going on would hang.
constexpr int kDeadlockStatus = 66;

std::string text_of(JNIEnv* jni, jobject text) {
  if (text == nullptr) return "";
  const auto string = static_cast<jstring>(text);
  const char* chars = jni->GetStringUTFChars(string, nullptr);
  if (chars == nullptr) return "";
  std::string copy = chars;
  jni->ReleaseStringUTFChars(string, chars);
  return copy;
}

// One line for each site in the decisions: its stable number, its name, its source file and line.
std::string site_list(const schedule::DecisionLog& decisions, const SiteTable& sites) {
  std::unordered_set<std::uint32_t> used;
  for (const schedule::Shape& shape : decisions.shapes()) used.insert(to_number(shape.site));
  std::string text;
  for (std::uint32_t i = 1; i <= sites.size(); ++i) {
    const Site& site = sites.at(i);
    if (used.erase(site.stable) == 0) continue;
    text += std::to_string(site.stable) + "\t" + site_name(site) + "\t" + site.in->source + ":" +
            std::to_string(site.line) + "\n";
  }
  return text;
}

// "a.b.C.m (C.java:12)" of "a/b/C.m(I)V@7" and "C.java:12".
std::string place_of(std::string name, const std::string& position) {
  name.resize(std::min(name.find('('), name.size()));
  std::replace(name.begin(), name.end(), '/', '.');
  return name + " (" + position + ")";
}

// The site this JVM knows by the number, or else the one that the log was made with, whose list lies beside it.
std::string place_of(model::SiteId number, const std::string& log_file, const SiteTable& sites) {
  for (std::uint32_t i = 1; i <= sites.size(); ++i) {
    const Site& site = sites.at(i);
    if (site.stable != to_number(number)) continue;
    return place_of(site_name(site), site.in->source + ":" + std::to_string(site.line));
  }
  std::ifstream list(log_file + ".sites");
  for (std::string line; std::getline(list, line);) {
    const std::size_t name = line.find('\t');
    const std::size_t position = name == std::string::npos ? name : line.find('\t', name + 1);
    if (position == std::string::npos || line.substr(0, name) != std::to_string(to_number(number))) continue;
    return place_of(line.substr(name + 1, position - name - 1), line.substr(position + 1));
  }
  return "";
}

// Of a schedule of events, which names its sites: the method of one whose class this JVM has not loaded.
std::string place_in_script(model::SiteId number, const std::string& script_file) {
  constexpr std::string_view kSite = "site ";
  std::ifstream script(script_file);
  for (std::string line; std::getline(script, line);) {
    if (!line.starts_with(kSite) || stable_site_number(line.substr(kSite.size())) != to_number(number)) continue;
    return place_of(line.substr(kSite.size()), "not loaded in this run");
  }
  return "";
}

std::string divergence_text(const schedule::Divergence& divergence, const std::string& log_file,
                            const SiteTable& sites) {
  return describe(divergence, [&](model::SiteId site) { return place_of(site, log_file, sites); });
}

// Further accesses of the site's variable in its source line, by the instruction; of an array's element, of any.
void write_beside(JsonWriter& json, const Site& site, const SiteTable& sites) {
  json.key("beside").begin_array();
  for (std::uint32_t i = 1; i <= sites.size(); ++i) {
    const Site& other = sites.at(i);
    const bool in_line = other.in == site.in && other.method == site.method && other.line == site.line;
    if (!in_line || other.access == PlainAccess::kNone || other.field != site.field) continue;
    if (other.bytecode_index == site.bytecode_index) continue;
    json.begin_object().field("site", site_name(other)).field("write", other.access == PlainAccess::kWrite);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string Conductor::thread_name(jthread thread) const {
  jvmtiThreadInfo info{};
  if (thread == nullptr || jvmti_->GetThreadInfo(thread, &info) != JVMTI_ERROR_NONE) return "?";
  std::string name = info.name == nullptr ? "" : info.name;
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(info.name));
  return name;
}

void Conductor::write_thread(JsonWriter& json, schedule::ThreadIndex thread) {
  const std::string name = thread_name(gate_.record(thread).thread);
  json.key("thread").begin_object().field("id", to_number(thread)).field("name", name).end_object();
}

void Conductor::write_stack(JsonWriter& json, jthread thread) {
  json.key("stack");
  walker_.write(json, walker_.of(agent()->env(), thread));
}

void Conductor::write_held(JsonWriter& json, const ManagedThread& thread) {
  json.key("locks").begin_array();
  jint count = 0;
  jobject* monitors = nullptr;
  JNIEnv* jni = agent()->env();
  if (jvmti_->GetOwnedMonitorInfo(thread.thread, &count, &monitors) == JVMTI_ERROR_NONE) {
    for (jint i = 0; i < count; ++i) {
      json.value(locks_.name(jni, monitors[i]));
      jni->DeleteLocalRef(monitors[i]);
    }
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(monitors));
  }
  for (const std::string& name : thread.locks.names(jni, locks_)) json.value(name);
  json.end_array();
}

void Conductor::write_place(JsonWriter& json, const schedule::World& world, schedule::ThreadIndex thread) {
  write_thread(json, thread);
  json.field("scheduled_name", world.name(thread));
  write_held(json, gate_.record(thread));
  write_stack(json, gate_.record(thread).thread);
}

void Conductor::write_access(JsonWriter& json, const schedule::World& world, schedule::ThreadIndex thread,
                             const schedule::Operation& op) {
  json.begin_object().field("write", schedule::writes(op.kind));
  write_place(json, world, thread);
  json.end_object();
}

void Conductor::on_step(const schedule::World& world, schedule::ThreadIndex thread, std::uint32_t step) {
  JsonWriter json;
  json.begin_object().field("type", "step").field("step", step);
  write_place(json, world, thread);
  json.end_object();
  log_.write(json.text());
}

void Conductor::on_race(const schedule::World& world, const schedule::Meeting& meeting) {
  constexpr std::uint32_t kMostMeetings = 10;  // two loops may meet for ever; the outcome has their number
  if (++meetings_told_ > kMostMeetings) return;
  JsonWriter json;
  json.begin_object().field("type", "meeting").field("step", meeting.step);
  json.key("accesses").begin_array();
  write_access(json, world, meeting.arrived, meeting.arrived_op);
  write_access(json, world, meeting.postponed, meeting.postponed_op);
  json.end_array().field("first", meeting.first == meeting.arrived ? 0 : 1).end_object();
  log_.write(json.text());
  if (!options_.until_race || was_held_.exchange(true)) return;
  held_.store(true);
  log_.write(R"({"type":"held"})");
}

void Conductor::on_stop(const schedule::World&, schedule::StopReason reason) {
  stopped_at_.store(std::chrono::steady_clock::now().time_since_epoch().count(), std::memory_order_release);
  if (reason != schedule::StopReason::kDeadlock || !deadlocked_.load()) return;
  // The threads stand before locks they can never get. We are inside the scheduler: the watchdog ends the process.
  end_process_.store(kDeadlockStatus);
}

void Conductor::uncaught(JNIEnv* jni, ManagedThread& self, jthrowable thrown) {
  unscheduled(self, true);
  JsonWriter json;
  json.begin_object().field("type", "uncaught").field("scheduled_name", scheduler_->name(self.index));
  write_thread(json, self.index);
  json.field("exception", class_of(jvmti_, jni, thrown));
  const jclass throwable = jni->FindClass("java/lang/Throwable");
  const jfieldID message = jni->GetFieldID(throwable, "detailMessage", "Ljava/lang/String;");
  if (message != nullptr) json.field("message", text_of(jni, jni->GetObjectField(thrown, message)));
  const jmethodID get_trace = jni->GetMethodID(throwable, "getStackTrace", "()[Ljava/lang/StackTraceElement;");
  const auto trace = static_cast<jobjectArray>(jni->CallObjectMethod(thrown, get_trace));
  json.key("stack").begin_array();
  if (!jni->ExceptionCheck() && trace != nullptr) {
    const jclass element = jni->FindClass("java/lang/StackTraceElement");
    const jmethodID class_name = jni->GetMethodID(element, "getClassName", "()Ljava/lang/String;");
    const jmethodID method_name = jni->GetMethodID(element, "getMethodName", "()Ljava/lang/String;");
    const jmethodID file_name = jni->GetMethodID(element, "getFileName", "()Ljava/lang/String;");
    const jmethodID line = jni->GetMethodID(element, "getLineNumber", "()I");
    const jsize count = jni->GetArrayLength(trace);
    for (jsize i = 0; i < count && i < 64 && !jni->ExceptionCheck(); ++i) {
      const jobject frame = jni->GetObjectArrayElement(trace, i);
      json.begin_object().field("class", text_of(jni, jni->CallObjectMethod(frame, class_name)));
      json.field("method", text_of(jni, jni->CallObjectMethod(frame, method_name)));
      json.field("file", text_of(jni, jni->CallObjectMethod(frame, file_name)));
      json.field("line", static_cast<std::int32_t>(jni->CallIntMethod(frame, line))).end_object();
      jni->DeleteLocalRef(frame);
    }
  }
  jni->ExceptionClear();
  json.end_array().end_object();
  log_.write(json.text());
  unscheduled(self, false);
}

void Conductor::write_aside(schedule::ThreadIndex thread) {
  constexpr std::uint32_t kMostAsides = 100;  // the outcome has their number
  if (++asides_told_ > kMostAsides) return;
  JsonWriter json;
  json.begin_object().field("type", "aside").field("scheduled_name", scheduler_->name(thread));
  write_thread(json, thread);
  write_stack(json, gate_.record(thread).thread);
  json.end_object();
  log_.write(json.text());
}

void Conductor::write_wanted(JsonWriter& json, const schedule::DecisionLog& decisions) {
  std::unordered_set<std::uint32_t> reached;
  std::unordered_map<std::uint32_t, const Site*> found;
  for (const schedule::Shape& shape : decisions.shapes()) reached.insert(to_number(shape.site));
  for (std::uint32_t i = 1; i <= sites_.size(); ++i) found.emplace(sites_.at(i).stable, &sites_.at(i));
  const std::lock_guard<std::mutex> lock(passed_mutex_);
  json.key("sites").begin_array();
  for (const std::string& name : options_.sites) {
    const std::uint32_t number = stable_site_number(name);
    json.begin_object().field("site", name).field("found", found.contains(number));
    json.field("reached", reached.contains(number));
    if (unheld_.contains(number)) json.field("unheld", true);
    if (const auto outsider = by_outsider_.find(number); outsider != by_outsider_.end())
      json.field("outside", outsider->second);
    const auto site = found.find(number);
    if (site != found.end() && site->second->line != 0) write_beside(json, *site->second, sites_);
    json.end_object();
  }
  json.end_array();
}

void Conductor::write_outcome() {
  const schedule::Outcome outcome = scheduler_->outcome();
  const schedule::DecisionLog decisions = scheduler_->log();
  if (options_.decisions) {
    log_.write_file("decisions", schedule::encode(decisions));
    const std::string sites = site_list(decisions, sites_);
    log_.write_file("decisions.sites", {reinterpret_cast<const std::uint8_t*>(sites.data()), sites.size()});
  }
  JsonWriter json;
  json.begin_object().field("type", "schedule").field("strategy", strategy_->name());
  json.field("seed", options_.seed).field("clock", clock_);
  json.field("ended", outcome.program_ended).field("stop", schedule::stop_reason_name(outcome.reason));
  json.field("steps", outcome.steps).field("clock_steps", outcome.clock_steps).field("switches", outcome.switches);
  json.field("silent_operations", outcome.silent_operations).field("forced_points", outcome.forced_points);
  json.field("put_aside", outcome.put_aside).field("time_jumps", outcome.time_jumps);
  json.field("virtual_time", outcome.virtual_time).field("races", outcome.strategy.races);
  json.field("thrashing_releases", outcome.strategy.thrashing_releases);
  json.field("livelock_releases", outcome.strategy.livelock_releases);
  if (!outcome.strategy.aims.empty()) {
    json.key("aims").begin_array();
    for (const std::string& aim : outcome.strategy.aims) json.value(aim);
    json.end_array();
  }
  if (!options_.sites.empty()) write_wanted(json, decisions);
  if (replay_ != nullptr && replay_->divergence())
    json.field("diverged", divergence_text(*replay_->divergence(), options_.replay, sites_));
  json.end_object();
  log_.write(json.text());
  if (follower_ != nullptr) write_followed();
}

void Conductor::write_followed() {
  const schedule::Followed& followed = follower_->followed();
  const auto named = [&](model::SiteId site) {
    const std::string place = place_of(site, options_.replay, sites_);
    return place.empty() ? place_in_script(site, options_.replay) : place;
  };
  JsonWriter json;
  json.begin_object().field("type", "followed").field("result", schedule::result_name(followed.result));
  json.field("event", followed.event).field("events", script_.events.size()).field("thread", followed.thread);
  json.field("expected", describe(followed.expected, named)).field("actual", describe(followed.actual, named));
  json.field("skipped", followed.skipped).field("unforeseen", followed.unforeseen).end_object();
  log_.write(json.text());
}

}  // namespace deadheat::agent
