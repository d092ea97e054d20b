// SPDX-License-Identifier: Apache-2.0
#include "agent/race_log.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "agent/class_table.h"
#include "agent/site_name.h"
#include "base/json_writer.h"

namespace deadheat::agent {

namespace {

constexpr int kMaxFrames = 64;
constexpr std::string_view kOurClasses = "java/lang/Deadheat";

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

int line_of(jvmtiEnv* jvmti, const jvmtiFrameInfo& frame) {
  jint count = 0;
  jvmtiLineNumberEntry* table = nullptr;
  if (jvmti->GetLineNumberTable(frame.method, &count, &table) != JVMTI_ERROR_NONE) return 0;
  int line = 0;
  for (jint i = 0; i < count && table[i].start_location <= frame.location; ++i) line = table[i].line_number;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(table));
  return line;
}

}  // namespace

void RaceLog::report(const engine::ThreadState& state, std::uint32_t count, std::uint32_t site, bool is_write) {
  if (stopped_.load(std::memory_order_relaxed)) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    const engine::Conflict& previous = state.conflicts[i];
    const std::uint32_t previous_site = model::to_number(engine::site_of(previous.word));
    if (!sites_.contains(site) || !sites_.contains(previous_site)) continue;
    const std::uint64_t pair = std::uint64_t{site} << 32 | previous_site;
    std::string id;
    bool first = false;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      std::string& known = ids_[pair];
      if (known.empty()) known = id_of(site, previous_site);
      id = known;
      first = ++counts_[id] == 1;
    }
    if (!first) continue;
    write_race(state, previous, id, site, is_write);
    if (first_race_ != nullptr) first_race_();
  }
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

void RaceLog::write_race(const engine::ThreadState& state, const engine::Conflict& previous, const std::string& id,
                         std::uint32_t site, bool is_write) {
  const Site& here = sites_.at(site);
  const Site& there = sites_.at(model::to_number(engine::site_of(previous.word)));
  const model::ThreadId other = engine_.thread_at(engine::epoch_of(previous.word));

  JsonWriter json;
  json.begin_object().field("type", "race").field("id", id);
  if (!detector_.empty()) json.field("detector", detector_);
  json.key("variable").begin_object();
  if (here.field == nullptr) {
    json.field("kind", "array");
  } else {
    json.field("kind", here.is_static ? "static" : "field")
        .field("class", dotted(here.field->owner))
        .field("field", here.field->name);
  }
  json.end_object().key("accesses").begin_array();

  json.begin_object().field("write", is_write).field("site", site_name(here)).key("thread").begin_object();
  json.field("id", model::to_number(state.id)).field("name", threads_.name_of(state.id)).end_object();
  json.key("stack").begin_array();
  write_stack(json);
  json.end_array().end_object();

  json.begin_object().field("write", previous.was_write).field("site", site_name(there)).key("thread").begin_object();
  json.field("id", model::to_number(other)).field("name", threads_.name_of(other)).end_object();
  json.key("stack").begin_array();
  write_site_frame(json, there);
  json.end_array().field("stack_complete", false).end_object();

  json.end_array().field("count", 1).end_object();
  log_.write(json.text());
}

void RaceLog::write_site_frame(JsonWriter& json, const Site& site) const {
  json.begin_object().field("class", dotted(site.in->name)).field("method", site.in->methods[site.method].name);
  json.field("file", site.in->source).field("line", static_cast<std::uint32_t>(site.line)).end_object();
}

void RaceLog::write_stack(JsonWriter& json) const {
  jvmtiFrameInfo frames[kMaxFrames];
  jint count = 0;
  if (jvmti_->GetStackTrace(nullptr, 0, kMaxFrames, frames, &count) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; ++i) {
    jclass type = nullptr;
    char* signature = nullptr;
    char* method = nullptr;
    char* source = nullptr;
    if (jvmti_->GetMethodDeclaringClass(frames[i].method, &type) != JVMTI_ERROR_NONE) continue;
    jvmti_->GetClassSignature(type, &signature, nullptr);
    jvmti_->GetMethodName(frames[i].method, &method, nullptr, nullptr);
    jvmti_->GetSourceFileName(type, &source);
    std::string_view name = signature == nullptr ? "" : signature;
    if (name.size() > 2) name = name.substr(1, name.size() - 2);
    if (!name.starts_with(kOurClasses)) {
      json.begin_object().field("class", dotted(name)).field("method", method == nullptr ? "?" : method);
      json.field("file", source == nullptr ? "" : source).field("line", line_of(jvmti_, frames[i])).end_object();
    }
    for (char* text : {signature, method, source}) jvmti_->Deallocate(reinterpret_cast<unsigned char*>(text));
  }
}

void RaceLog::write_counts() {
  const std::lock_guard<std::mutex> lock(mutex_);
  JsonWriter json;
  json.begin_object().field("type", "race_counts").key("counts").begin_object();
  for (const auto& [id, count] : counts_) json.field(id, count);
  json.end_object().end_object();
  log_.write(json.text());
}

std::size_t RaceLog::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return counts_.size();
}

}  // namespace deadheat::agent
