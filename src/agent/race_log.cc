// SPDX-License-Identifier: Apache-2.0
#include "agent/race_log.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "agent/class_table.h"
#include "agent/held_monitors.h"
#include "agent/object_class.h"
#include "agent/site_name.h"
#include "base/json_writer.h"

namespace deadheat::agent {

namespace {

std::string dotted(std::string_view internal) {
  std::string name(internal);
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

// FNV-1a: the id must be the same on every machine and in every run.
std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string describe(const Site& site) {
  return site.in->name + "." + site.in->methods[site.method].name + site.in->methods[site.method].descriptor + ":" +
         std::to_string(site.line != 0 ? site.line : site.bytecode_index);
}

std::string variable_of(const Site& site) {
  return site.field == nullptr ? "[]" : site.field->owner + "." + site.field->name;
}

const char* name_of(Kept kept) { return kept == Kept::kNoRoom ? "no room" : "not kept"; }

}  // namespace

void RaceLog::report(JNIEnv* jni, const engine::ThreadState& state, std::uint32_t count, std::uint32_t site,
                     bool is_write, const RacedObject& of) {
  if (stopped_.load(std::memory_order_relaxed)) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    const engine::Conflict& previous = state.conflicts[i];
    const std::uint32_t previous_site = history_.site_of(previous.word);
    if (!sites_.contains(site) || !sites_.contains(previous_site)) continue;
    std::string id;
    std::uint64_t seen = 0;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      id = known_id(site, previous_site);
      seen = ++counts_[id];
    }
    if (comes_with_language(sites_.at(site).in->name)) places_.came(jni, id, seen);
    if (seen != 1) continue;
    write_race(jni, state, previous, id, site, is_write, of);
    if (first_race_ != nullptr) first_race_();
  }
}

bool RaceLog::has_news(const engine::ThreadState& state, std::uint32_t count, std::uint32_t site) {
  if (stopped_.load(std::memory_order_relaxed) || !sites_.contains(site)) return false;
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::any_of(state.conflicts.begin(), state.conflicts.begin() + count, [&](const engine::Conflict& previous) {
    const std::uint32_t previous_site = history_.site_of(previous.word);
    return sites_.contains(previous_site) && !counts_.contains(known_id(site, previous_site));
  });
}

const std::string& RaceLog::known_id(std::uint32_t site, std::uint32_t previous_site) {
  std::string& known = ids_[std::uint64_t{site} << 32 | previous_site];
  if (known.empty()) known = id_of(site, previous_site);
  return known;
}

std::string RaceLog::id_of(std::uint32_t site, std::uint32_t previous_site) const {
  std::string a = describe(sites_.at(site));
  std::string b = describe(sites_.at(previous_site));
  if (b < a) std::swap(a, b);  // whichever thread came first
  char text[16];
  std::snprintf(text, sizeof text, "R%08x",
                static_cast<unsigned>(stable_hash(variable_of(sites_.at(site)) + "|" + a + "|" + b) >> 32));
  return text;
}

void RaceLog::write_race(JNIEnv* jni, const engine::ThreadState& state, const engine::Conflict& previous,
                         const std::string& id, std::uint32_t site, bool is_write, const RacedObject& of) {
  const Site& here = sites_.at(site);
  const Site& there = sites_.at(history_.site_of(previous.word));
  const model::ThreadId other = engine_.thread_at(engine::epoch_of(previous.word));

  JsonWriter json;
  json.begin_object().field("type", "race").field("id", id);
  if (!detector_.empty()) json.field("detector", detector_);
  write_variable(jni, json, here, of);
  json.key("accesses").begin_array();

  json.begin_object().field("write", is_write).field("site", site_name(here));
  write_thread(json, state.id);
  write_held(jni, json, state.id);
  json.key("stack");
  stacks_.write(json, stacks_.current(jni));
  json.end_object();

  json.begin_object().field("write", previous.was_write).field("site", site_name(there));
  write_thread(json, other);
  write_previous(json, previous);
  json.end_object();

  json.end_array();
  if (of.object != nullptr) write_object(jni, json, of.object);
  json.field("count", 1);
  if (annotate_ != nullptr) annotate_(json, state.id, other);
  json.end_object();
  log_.write(json.text());
}

void RaceLog::write_variable(JNIEnv* jni, JsonWriter& json, const Site& site, const RacedObject& of) const {
  json.key("variable").begin_object();
  if (site.field == nullptr) {
    json.field("kind", "array");
    if (of.object != nullptr) json.field("class", class_of(jvmti_, jni, of.object));
    if (of.index >= 0) json.field("index", static_cast<std::int64_t>(of.index));
  } else {
    json.field("kind", site.is_static ? "static" : "field")
        .field("class", dotted(site.field->owner))
        .field("field", site.field->name);
  }
  json.end_object();
}

void RaceLog::write_object(JNIEnv* jni, JsonWriter& json, jobject object) const {
  json.key("object").begin_object().field("class", class_of(jvmti_, jni, object));
  json.field("hash", identity_hash(jvmti_, object));
  if (allocations_ != nullptr) {
    json.key("allocated_at");
    stacks_.write(json, allocations_->frames(object));
  }
  json.end_object();
}

void RaceLog::write_thread(JsonWriter& json, model::ThreadId thread) const {
  const Threads::Info info = threads_.info_of(thread);
  json.key("thread").begin_object().field("id", model::to_number(thread)).field("name", info.name);
  if (info.is_main) json.field("main", true);
  if (info.creation != Creation{}) {
    const model::ThreadId parent = parent_of(info.creation);
    json.key("created_by").begin_object().field("id", model::to_number(parent));
    json.field("name", threads_.info_of(parent).name).end_object();
    json.key("created_at");
    stacks_.write(json, creations_.frames(info.creation));
  }
  json.end_object();
}

// Monitors as the VM knows them, with their objects; what else is held as the thread's history knows it.
void RaceLog::write_held(JNIEnv* jni, JsonWriter& json, model::ThreadId thread) const {
  const std::optional<std::vector<std::string>> monitors = held_monitors(jvmti_, jni);
  if (!monitors) return;
  json.key("locks").begin_array();
  for (const std::string& monitor : *monitors) json.value(monitor);
  for (const std::uint64_t lock : history_.threads.held(thread)) {
    if (lock & kOwnedLock) json.value(locks_.describe(lock));
  }
  json.end_array();
}

void RaceLog::write_site_frame(JsonWriter& json, const Site& site) const {
  json.begin_object().field("class", dotted(site.in->name)).field("method", site.in->methods[site.method].name);
  json.field("file", site.in->source).field("line", static_cast<std::uint32_t>(site.line)).end_object();
}

void RaceLog::write_previous(JsonWriter& json, const engine::Conflict& previous) const {
  const PreviousAccess past = history_.find(previous.word);
  if (past.locks) {
    json.key("locks").begin_array();
    for (const std::uint64_t lock : *past.locks) json.value(locks_.describe(lock));
    json.end_array();
  }
  json.key("stack");
  if (past.stack) {
    stacks_.write(json, *past.stack);
    return;
  }
  json.begin_array();
  write_site_frame(json, sites_.at(history_.site_of(previous.word)));
  json.end_array().field("stack_complete", false);
  if (history_.enabled()) json.field("stack_missing", name_of(past.kept)).field("history", history_.most_ways());
}

void RaceLog::write_counts() {
  const std::lock_guard<std::mutex> lock(mutex_);
  JsonWriter json;
  json.begin_object().field("type", "race_counts").key("counts").begin_object();
  for (const auto& [id, count] : counts_) json.field(id, count);
  json.end_object().key("places");
  places_.write(json);
  json.end_object();
  log_.write(json.text());
}

std::size_t RaceLog::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return counts_.size();
}

}  // namespace deadheat::agent
