// SPDX-License-Identifier: Apache-2.0
#include "agent/agent.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "agent/conductor.h"
#include "agent/hunt.h"
#include "agent/jni_monitors.h"
#include "agent/native_gates.h"
#include "agent/site_name.h"
#include "base/json_writer.h"
#include "engine/counts.h"

namespace deadheat::agent {

namespace {

Agent* the_agent = nullptr;
// What the deadheat program exits with when races were found (DESIGN section 1).
constexpr int kHaltStatus = 66;

std::string property(jvmtiEnv* jvmti, const char* name) {
  char* value = nullptr;
  if (jvmti->GetSystemProperty(name, &value) != JVMTI_ERROR_NONE) return "";
  std::string text = value;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(value));
  return text;
}

std::string command_line() {
  std::string text;
  if (FILE* file = std::fopen("/proc/self/cmdline", "rb")) {
    for (int c; (c = std::fgetc(file)) != EOF;) text += c == 0 ? ' ' : static_cast<char>(c);
    std::fclose(file);
  }
  return text;
}

engine::EngineOptions engine_options(const Options& given) {
  engine::EngineOptions options;
  options.candidates = finds_candidates(given.engine);
  options.candidate_place = [](model::SiteId site) {
    return model::SiteId{agent()->history.ways().site_of(model::to_number(site))};
  };
  return options;
}

RewriteOptions rewrite_options(const Options& options) {
  RewriteOptions rewrite;
  // A race says as much at the first of two reads in a row as at the second. A candidate does not: which of the two
  // another thread comes before decides what breaks (a check for null, and a use).
  rewrite.drop_redundant = options.drop_redundant && !finds_candidates(options.engine);
  rewrite.candidates = finds_candidates(options.engine);
  rewrite.contexts = options.history != 0;
  rewrite.for_scheduler = options.engine == EngineKind::kSchedule;
  rewrite.detects = rewrite.for_scheduler && options.schedule.detect;
  rewrite.relations_only = options.engine == EngineKind::kRelations;
  rewrite.gates_locks = !options.hunt.strategy.empty() && options.engine == EngineKind::kDetect;
  rewrite.records = rewrite.for_scheduler && options.schedule.trace;
  rewrite.marked = {options.schedule.atomic, options.schedule.atomic_public, options.schedule.methods};
  for (const std::string& site : options.schedule.sites) rewrite.wanted_sites.add(site);
  return rewrite;
}

}  // namespace

Agent* agent() { return the_agent; }
void set_agent(std::unique_ptr<Agent> made) { the_agent = made.release(); }

Agent::Agent(jvmtiEnv* jvmti_env, const Options& given)
    : jvmti(jvmti_env),
      options(given),
      engine(engine_options(given)),
      watch_list(given.include, given.exclude),
      rewriter(watch_list, rewrite_options(given), classes, sites, words, log),
      hidden_classes(classes, sites, purpose_of(rewrite_options(given))),
      resolver(jvmti_env, classes, /*by_number=*/!has_words(given)),
      stacks(jvmti_env),
      creations(stacks),
      allocations(given.allocations ? std::make_unique<Allocations>(jvmti_env, stacks) : nullptr),
      history(given.history, given.check_history, watch_list, sites, stacks),
      threads(jvmti_env, engine, history.enabled() ? &history.threads : nullptr),
      races(jvmti_env, stacks, creations, allocations.get(), history, lock_table, sites, threads, engine, log) {
  if (given.engine == EngineKind::kAlwaysHit) threads.share_one_epoch();
  if (given.engine == EngineKind::kHybrid) races.set_detector("hybrid");
  if (given.engine == EngineKind::kLockset) races.set_detector("lockset");
  if (given.engine == EngineKind::kSchedule) {
    conductor = std::make_unique<Conductor>(jvmti_env, given.schedule, sites, words, classes, stacks, log);
  }
  const bool hunts = !given.hunt.strategy.empty() && given.engine == EngineKind::kDetect;
  if (hunts || given.engine == EngineKind::kRelations) {
    hunt = std::make_unique<Hunt>(jvmti_env, given.hunt, given.schedule.seed, sites, stacks, threads, log);
    races.set_annotation([](JsonWriter& json, model::ThreadId thread, model::ThreadId other) {
      agent()->hunt->write_exposure(json, thread, other);
    });
  }
  if (given.halt_on_error) races.on_first_race([] { agent()->halt(); });
}

Agent::~Agent() = default;

void Agent::halt() {
  on_vm_death(nullptr);
  _exit(kHaltStatus);
}

Status Agent::start() {
  // `deadheat run -- java …` gives the agent on the command line; JVMs that this one starts find it in the environment
  // (docs/launching.md).
  if (const char* inherited = std::getenv("DEADHEAT_JAVA_TOOL_OPTIONS")) {
    setenv("JAVA_TOOL_OPTIONS", inherited, 1);
    unsetenv("DEADHEAT_JAVA_TOOL_OPTIONS");
  }
  const std::string folder = options.directory.empty() ? ".deadheat/runs/by-hand" : options.directory;
  const Status opened = log.open(folder);
  if (!opened.ok()) std::fprintf(stderr, "deadheat: %s\n", opened.error().message.c_str());
  write_start_record();
  if (options.engine == EngineKind::kOff) return Ok{};
  const VmTables vm(reinterpret_cast<const void*>(jvmti->functions->GetCapabilities));
  inlining_.start(vm);
  if (has_words(options)) make_room_for_survivors(vm);
  hash_bits = agent::hash_bits(vm);

  jvmtiCapabilities wanted{};
  wanted.can_generate_all_class_hook_events = 1;
  wanted.can_generate_early_class_hook_events = 1;
  wanted.can_generate_early_vmstart = 1;
  wanted.can_generate_garbage_collection_events = 1;
  wanted.can_get_source_file_name = 1;
  // Agents that can retransform come last in the class-load hook: others see the bytes they would see without us.
  wanted.can_retransform_classes = 1;
  wanted.can_get_line_numbers = 1;
  // A scheduler without a detector takes the monitors of native methods for what they are to it: blocking outside its
  // model. For a trace they are events too.
  const bool binds = conductor == nullptr || detects(options) || options.schedule.trace;
  wanted.can_generate_native_method_bind_events = binds;
  wanted.can_get_owned_monitor_info = 1;
  if (allocations != nullptr) Allocations::ask_for(wanted);
  if (jvmti->AddCapabilities(&wanted) != JVMTI_ERROR_NONE) {
    return Error{"this JVM does not offer the class hooks deadheat needs; use a HotSpot JDK 17 or newer"};
  }
  if (allocations != nullptr) {
    if (const Status prepared = allocations->prepare(); !prepared.ok()) return prepared;
  }
  for (const jvmtiEvent event :
       {JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_THREAD_START,
        JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH}) {
    if (jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) != JVMTI_ERROR_NONE) {
      return Error{"this JVM refuses JVMTI event " + std::to_string(event)};
    }
  }
  if (binds) jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND, nullptr);
  return Ok{};
}

void Agent::give_up(const std::string& why) {
  passive_.store(true);
  log.warn(why + ": nothing is watched in this JVM", true);
}

void Agent::on_vm_start(JNIEnv* jni) {
  const Status installed = shim_.install(jni);
  if (!installed.ok()) return give_up(installed.error().message);
}

// Events that can be asked for by thread. If one is enabled before the main thread has its Thread object, that thread
// runs compiled code on HotSpot 25 while a debugger steps it, and the debugger loses its step at the first interpreted
// method that this code calls.
void Agent::enable_thread_events() {
  jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, nullptr);
  if (allocations == nullptr) return;
  if (const Status started = allocations->start(); !started.ok()) log.warn(started.error().message);
}

void Agent::on_vm_init(JNIEnv* jni, jthread thread) {
  if (passive_.load()) return;
  enable_thread_events();
  const Status started = shim_.start(jni);
  if (!started.ok()) return give_up(started.error().message);
  if (!resolver.start(jni)) return give_up("java.lang.ClassLoader and Unsafe of this JDK are not as expected");
  jni->GetJavaVM(&vm_);
  if (conductor != nullptr && !detects(options)) return control_main_later(jni);
  if (hunt != nullptr) {
    if (const Status hunts = hunt->start(jni); !hunts.ok()) return give_up(hunts.error().message);
  }
  if (options.engine == EngineKind::kRelations) return hunt->on_thread_start(jni, thread);
  const ClassInfo* info = classes.find("java/lang/Thread", LoaderId{});
  std::string alive;
  for (std::size_t i = 0; info != nullptr && i < info->fields.size(); ++i) {
    if (info->fields[i].name == "eetop" && info->fields[i].kind == WhereKind::kVolatile) alive = word_name('s', i);
  }
  if (alive.empty() || !threads.start(jni, alive)) return give_up("java.lang.Thread of this JDK is not as expected");
  threads.attach(jni, thread, /*is_main=*/true);
  if (hunt != nullptr) hunt->on_thread_start(jni, thread);
  watch_native_monitors(jni, MonitorsFor::kDetector);
  jint count = 0;
  jthread* all = nullptr;
  if (jvmti->GetAllThreads(&count, &all) == JVMTI_ERROR_NONE) {
    for (jint i = 0; i < count; ++i) threads.attach(jni, all[i]);
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(all));
  }
  if (conductor != nullptr) {
    control_main_later(jni);
  } else if (!take_native_methods(jni, "java/lang/DeadheatSync", "takeWait")) {
    log.warn("waits by reflection, method handles or native code are not seen", true);
  }
}

void Agent::watch_native_monitors(JNIEnv* jni, MonitorsFor whom) {
  if (!watch_jni_monitors(jvmti, jni, whom)) {
    log.warn("monitors that native code enters through JNI are not seen", true);
  }
}

// An agent that comes after us is told of the VM's start after us, and does its own work on the main thread meanwhile:
// a debugger's makes threads, or waits for the debugger. None of that is the program's. The VM tells the environments
// in the order they were made in, and one that is made meanwhile is the last.
void Agent::control_main_later(JNIEnv* jni) {
  if (!options.schedule.agents_apart) return control_main(jni, true);
  jvmtiEnv* last = nullptr;
  jvmtiEventCallbacks table{};
  table.VMInit = [](jvmtiEnv*, JNIEnv* main_jni, jthread) { agent()->control_main(main_jni, true); };
  if (vm_->GetEnv(reinterpret_cast<void**>(&last), JVMTI_VERSION_11) != JNI_OK ||
      last->SetEventCallbacks(&table, sizeof table) != JVMTI_ERROR_NONE ||
      last->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, nullptr) != JVMTI_ERROR_NONE) {
    control_main(jni, true);
  }
}

void Agent::control_main(JNIEnv* jni, bool programs) {
  jthread thread = nullptr;
  jvmti->GetCurrentThread(&thread);
  if (controls_) {
    if (options.schedule.agents_apart) conductor->show(jni, thread, programs);
    return;
  }
  controls_ = true;
  const Status started = conductor->start(jni, thread);
  if (!started.ok()) log.warn(started.error().message + ": nothing is scheduled in this JVM", true);
  if (options.schedule.trace && !detects(options)) watch_native_monitors(jni, MonitorsFor::kScheduler);
}

void Agent::on_thread_start(JNIEnv* jni, jthread thread) {
  if (conductor != nullptr) conductor->on_thread_start(jni, thread);
  if (runs_detector()) threads.attach(jni, thread);
  if (hunt != nullptr) hunt->on_thread_start(jni, thread);
}

void Agent::on_thread_end(JNIEnv* jni, jthread thread) {
  if (hunt != nullptr) hunt->on_thread_end(jni, thread);
  if (runs_detector()) threads.end(jni, thread);
  // Last: it gives up the thread's turn.
  if (conductor != nullptr) conductor->on_thread_end(jni, thread);
}

bool Agent::runs_detector() const { return options.engine != EngineKind::kRelations && has_words(options); }

JNIEnv* Agent::env() const {
  void* env = nullptr;
  return vm_ != nullptr && vm_->GetEnv(&env, JNI_VERSION_1_8) == JNI_OK ? static_cast<JNIEnv*>(env) : nullptr;
}

void Agent::on_heap_exhausted() {
  if (exhausted_.exchange(true)) return;
  races.stop();
  log.warn("the Java heap is full: races from here on are not reported; give the program a larger -Xmx", true);
}

void Agent::on_vm_death(JNIEnv*) {
  if (ended_.exchange(true)) return;
  if (conductor != nullptr) conductor->finish();
  if (hunt != nullptr) hunt->finish();
  write_end_record();
}

void Agent::on_class_load(JNIEnv* jni, Definition definition, jobject loader, const char* name, ByteSpan bytes,
                          jint* new_size, unsigned char** new_bytes) {
  if (passive_.load(std::memory_order_relaxed)) return;
  if (name != nullptr && jni != nullptr) shim_.on_class_load(jni, name);
  if (name != nullptr && std::strncmp(name, "java/lang/Deadheat", 18) == 0) return;
  const bool from_jdk = loader == nullptr || resolver.is_platform_loader(jni, loader);
  const LoaderId id = loader == nullptr ? LoaderId{} : resolver.loader_id(jni, loader);
  const auto rewritten = rewriter.rewrite(bytes, id, from_jdk, definition);
  if (!rewritten) return;
  if (has_words(options)) inlining_.adapt(rewriter.totals().program_points.load(std::memory_order_relaxed));
  unsigned char* memory = nullptr;
  if (jvmti->Allocate(static_cast<jlong>(rewritten->size()), &memory) != JVMTI_ERROR_NONE) return;
  std::memcpy(memory, rewritten->data(), rewritten->size());
  *new_size = static_cast<jint>(rewritten->size());
  *new_bytes = memory;
  if (options.dump_classes && name != nullptr) log.write_file(std::string("classes/") + name + ".class", *rewritten);
}

void Agent::write_start_record() {
  JsonWriter json;
  json.begin_object().field("type", "start").field("pid", static_cast<std::int64_t>(getpid()));
  json.field("vm", property(jvmti, "java.vm.name")).field("version", property(jvmti, "java.vm.version"));
  json.field("java", property(jvmti, "java.home")).field("command", command_line()).end_object();
  log.write(json.text());
}

void Agent::write_end_record() {
  races.write_counts();
  const RewriteTotals& totals = rewriter.totals();
  const engine::EngineStats stats = engine.stats();
  JsonWriter json;
  json.begin_object().field("type", "end").key("counters").begin_object();
  json.field("classes_seen", totals.classes_seen.load()).field("classes_watched", totals.classes_full.load());
  json.field("classes_sync_only", totals.classes_sync.load()).field("classes_bad", totals.classes_bad.load());
  json.field("methods_skipped", totals.methods_skipped.load()).field("points", totals.points.load());
  json.field("program_points", totals.program_points.load());
  json.field("methods_without_accesses", totals.methods_without_accesses.load());
  json.field("points_redundant", totals.points_redundant.load()).field("points_fresh", totals.points_fresh.load());
  json.field("points_refused", sites.refused()).field("native_synchronized", native_monitors.unseen());
  json.field("races", static_cast<std::uint64_t>(races.size()));
  json.field("fast_path", std::uint32_t{decides_inline(options)});
  json.field("counted_reads", reads.load()).field("counted_writes", writes.load());
  json.field("ways_kept", history.ways().size()).field("ways_not_kept", history.threads.ways_not_kept());
  json.field("stacks_kept", history.contexts().stacks()).field("stacks_not_kept", history.contexts().refused());
  json.field("stack_microseconds", static_cast<std::uint64_t>(history.contexts().spent() / 1000));
  json.field("methods_without_context", totals.methods_without_context.load());
  if (history.checks())
    json.field("stacks_checked", history.checked())
        .field("stacks_wrong", history.mismatches())
        .field("stacks_with_other_frames", history.other_frames());
  json.field("creations_not_kept", creations.refused());
  if (allocations != nullptr) json.field("allocations_not_kept", allocations->refused());
  json.field("creation_microseconds", static_cast<std::uint64_t>(creations.spent() / 1000));
  json.field("threads", stats.threads_begun).field("unwatched_threads", stats.unwatched_threads);
  if (finds_candidates(options.engine)) {
    json.field("locksets", stats.locksets).field("locksets_refused", stats.locksets_refused);
    json.field("variables_inflated", stats.variables_inflated).field("variables_forgotten", stats.variables_forgotten);
    json.field("accesses_forgotten", stats.accesses_forgotten);
  }
  json.end_object().key("rules").begin_object();
  for (std::size_t i = 0; i < engine::kRuleCount; ++i)
    json.field(engine::rule_name(static_cast<engine::Rule>(i)), stats.rules[i]);
  json.end_object().end_object();
  log.write(json.text());
}

}  // namespace deadheat::agent
