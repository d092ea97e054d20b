// SPDX-License-Identifier: Apache-2.0
#include "agent/natives.h"

#include <sched.h>

#include <atomic>
#include <cstring>

#include "agent/agent.h"
#include "agent/gate_natives.h"
#include "agent/handle_shapes.h"
#include "agent/hunt.h"
#include "agent/inherited_inits.h"
#include "agent/native_binding.h"
#include "agent/native_gates.h"
#include "agent/object_class.h"
#include "engine/access.h"
#include "engine/atomic_access.h"
#include "engine/candidates.h"
#include "engine/frozen.h"
#include "engine/sync.h"

namespace deadheat::agent {

namespace {

using engine::ShadowWord;
using engine::SyncWord;
using engine::ThreadState;

ThreadState& state_at(jlong address) { return *reinterpret_cast<ThreadState*>(address); }
// Before an access is judged.
ThreadState& accessing(jlong address) {
  ThreadState& ts = state_at(address);
  if (PendingInits& pending = agent()->pending_inits; pending.any()) pending.settle(ts);
  return ts;
}
ShadowWord shadow(jlong word) { return ShadowWord{static_cast<std::uint64_t>(word)}; }
SyncWord sync(jlong word) { return SyncWord{static_cast<std::uint64_t>(word)}; }
model::SiteId site_id(jint site) { return model::SiteId{static_cast<std::uint32_t>(site)}; }
jlong bits(auto word) { return static_cast<jlong>(engine::bits(word)); }

// Atomic accesses are judged by happens-before detection only; elsewhere they synchronise and no more.
bool detects_races(const Agent& a) { return detects(a.options); }

// Unsafe.ARRAY_…_BASE_OFFSET, an int or a long depending on the JDK.
jlong array_base(JNIEnv* jni, const char* name) {
  const jclass unsafe = jni->FindClass("jdk/internal/misc/Unsafe");
  if (const jfieldID field = jni->GetStaticFieldID(unsafe, name, "J")) return jni->GetStaticLongField(unsafe, field);
  jni->ExceptionClear();
  return jni->GetStaticIntField(unsafe, jni->GetStaticFieldID(unsafe, name, "I"));
}

jlong JNICALL setting(JNIEnv* jni, jclass, jint which) {
  const Agent& a = *agent();
  switch (static_cast<Setting>(which)) {
    case Setting::kFastPath:
      return decides_inline(a.options);
    case Setting::kLocksets:
      return finds_candidates(a.options.engine);
    case Setting::kAlwaysHit:
      return a.options.engine == EngineKind::kAlwaysHit;
    case Setting::kCollectionsAddress:
      return reinterpret_cast<jlong>(&a.collections);
    case Setting::kLongArrayBase:
      return array_base(jni, "ARRAY_LONG_BASE_OFFSET");
    case Setting::kReferenceArrayBase:
      return array_base(jni, "ARRAY_OBJECT_BASE_OFFSET");
    case Setting::kByteArrayBase:
      return array_base(jni, "ARRAY_BYTE_BASE_OFFSET");
    case Setting::kHistory:
      return a.history.enabled();
    case Setting::kWaysAddress:
      return reinterpret_cast<jlong>(a.history.ways_for_shim());
    case Setting::kInitWordsAddress:
      return reinterpret_cast<jlong>(a.words.init_words());
    case Setting::kHuntPlacesAddress:
      return a.hunt == nullptr ? 0 : reinterpret_cast<jlong>(a.hunt->places());
    case Setting::kHuntEscortAddress:
      return a.hunt == nullptr ? 0 : reinterpret_cast<jlong>(a.hunt->escort_mark());
    case Setting::kHasWords:
      return has_words(a.options);
    case Setting::kRecords:
      return a.options.engine == EngineKind::kSchedule && a.options.schedule.trace && !a.options.schedule.detect;
    case Setting::kArrayWords:
      return a.options.array_words ? jlong{*a.options.array_words} << 20 : -1;
    case Setting::kUnhashedMask:
      return static_cast<jlong>(a.hash_bits.unhashed_mask);
    case Setting::kUnhashed:
      return static_cast<jlong>(a.hash_bits.unhashed);
    case Setting::kHashShift:
      return static_cast<jlong>(a.hash_bits.shift);
    case Setting::kMostHash:
      return static_cast<jlong>(a.hash_bits.most);
    case Setting::kHuntGate:
      return a.options.engine == EngineKind::kDetect && !a.options.hunt.strategy.empty();
  }
  return 0;
}

// The word to keep. A race that was not seen before is told by on_new_race(), which is given the object.
jlong told(JNIEnv* jni, ThreadState& state, const engine::AccessResult& result, jint site, bool is_write) {
  static_assert(kNewRace == static_cast<std::int64_t>(engine::bits(engine::kNoReadSet)));
  if (result.conflicts == 0) return bits(result.word);
  const auto here = static_cast<std::uint32_t>(site);
  if (!agent()->races.has_news(state, result.conflicts, here)) {
    agent()->races.report(jni, state, result.conflicts, here, is_write, {});
    return bits(result.word);
  }
  state.untold_word = result.word;
  state.untold_conflicts = result.conflicts;
  return kNewRace;
}

// `object`: whose field it is, or the array; null for static fields and where it is not known.
jlong JNICALL on_new_race(JNIEnv* jni, jclass, jlong state, jobject object, jint index, jint site, jboolean is_write) {
  const ThreadState& ts = state_at(state);
  agent()->races.report(jni, ts, ts.untold_conflicts, static_cast<std::uint32_t>(site), is_write, {object, index});
  return bits(ts.untold_word);
}

// `way`: what the access's word is to carry (AccessHistory::way).
jint site_at(jint way) { return static_cast<jint>(agent()->history.ways().site_of(static_cast<std::uint32_t>(way))); }

jlong JNICALL on_read(JNIEnv* jni, jclass, jlong state, jlong write, jlong read, jint way) {
  Agent& a = *agent();
  if (a.options.engine == EngineKind::kCount) {
    a.reads.fetch_add(1, std::memory_order_relaxed);
    return read;
  }
  ThreadState& ts = accessing(state);
  return told(jni, ts, engine::on_read(ts, shadow(write), shadow(read), site_id(way)), site_at(way), false);
}

jlong JNICALL on_write(JNIEnv* jni, jclass, jlong state, jlong write, jlong read, jint way) {
  Agent& a = *agent();
  if (a.options.engine == EngineKind::kCount) {
    a.writes.fetch_add(1, std::memory_order_relaxed);
    return write;
  }
  ThreadState& ts = accessing(state);
  return told(jni, ts, engine::on_write(ts, shadow(write), shadow(read), site_id(way)), site_at(way), true);
}

// After an access whose own word is published: `word` is the other one, which has changed since it was judged.
void JNICALL on_change(JNIEnv* jni, jclass, jlong state, jlong word, jboolean is_write, jint site, jobject object,
                       jint index) {
  if (!detects_races(*agent())) return;
  ThreadState& ts = accessing(state);
  const std::uint32_t conflicts =
      is_write ? engine::recheck_write(ts, shadow(word)) : engine::recheck_read(ts, shadow(word));
  if (conflicts > 0) {
    agent()->races.report(jni, ts, conflicts, static_cast<std::uint32_t>(site), is_write, {object, index});
  }
}

// An access of engine=hybrid or engine=lockset; epoch: of an update, when it was made (engine::on_hybrid_update).
jlong JNICALL on_candidate(JNIEnv* jni, jclass, jlong state, jlong write, jlong read, jboolean is_write, jint way,
                           jobject object, jint index, jlong epoch) {
  struct Here {
    JNIEnv* jni;
    std::uint32_t site;
    bool is_write;
    RacedObject object;
  } here{jni, static_cast<std::uint32_t>(site_at(way)), is_write == JNI_TRUE, {object, index}};
  const engine::CandidateSink sink{[](void* context, ThreadState& ts) {
                                     const Here& at = *static_cast<Here*>(context);
                                     agent()->races.report(at.jni, ts, 1, at.site, at.is_write, at.object);
                                   },
                                   &here};
  const bool by_order = agent()->options.engine == EngineKind::kHybrid;
  if (!by_order && engine::is_atomic_site(site_id(way))) return is_write ? write : read;
  if (epoch != 0) {
    return bits(engine::on_hybrid_update(accessing(state), shadow(write), shadow(read),
                                         engine::Epoch{static_cast<std::uint64_t>(epoch)}, site_id(way), sink));
  }
  const auto rule = is_write ? (by_order ? engine::on_hybrid_write : engine::on_lockset_write)
                             : (by_order ? engine::on_hybrid_read : engine::on_lockset_read);
  return bits(rule(accessing(state), shadow(write), shadow(read), site_id(way), sink));
}

jlong JNICALL on_atomic_read(JNIEnv* jni, jclass, jlong state, jlong write, jlong read, jint site) {
  if (!detects_races(*agent())) return read;
  ThreadState& ts = accessing(state);
  return told(jni, ts, engine::on_atomic_read(ts, shadow(write), shadow(read), site_id(site)), site, false);
}

jlong JNICALL on_atomic_write(JNIEnv* jni, jclass, jlong state, jlong write, jlong read, jint site) {
  if (!detects_races(*agent())) return write;
  ThreadState& ts = accessing(state);
  return told(jni, ts, engine::on_atomic_write(ts, shadow(write), shadow(read), site_id(site)), site, true);
}

jlong JNICALL on_atomic_update(JNIEnv* jni, jclass, jlong state, jlong write, jlong read, jlong epoch, jint site) {
  if (!detects_races(*agent())) return write;
  ThreadState& ts = accessing(state);
  return told(jni, ts,
              engine::on_atomic_update(ts, shadow(write), shadow(read),
                                       engine::Epoch{static_cast<std::uint64_t>(epoch)}, site_id(site)),
              site, true);
}

void JNICALL retract(JNIEnv*, jclass, jlong state) { engine::retract(state_at(state)); }

// Where a variable is that is accessed at a call, and the sites of its accesses there: one for plain ones and one for
// atomic ones. `type` is null for array elements.
void JNICALL resolve_variable(JNIEnv* jni, jclass, jclass type, jboolean is_static, jlong offset, jint call_site,
                              jlongArray answer) {
  Agent& a = *agent();
  jlong parts[static_cast<std::size_t>(VariablePart::kCount)] = {static_cast<jlong>(WhereKind::kNone), 0, 0};
  Site site = a.sites.at(static_cast<std::uint32_t>(call_site));
  if (type == nullptr) {
    parts[0] = static_cast<jlong>(WhereKind::kPlain);
    parts[1] = call_site;
    parts[2] = a.sites.add_atomic(site);
  } else if (const auto found = a.resolver.field_at(jni, type, is_static, offset); found.owner != nullptr) {
    parts[0] = found.where;
    if (has_access_words(found.field->kind) && found.where != static_cast<jlong>(WhereKind::kNone)) {
      site.field = a.classes.use_of(*found.owner, *found.field);
      if (is_static && a.conductor != nullptr) {  // for the uses of classes in a trace
        site.field->where.store(found.where, std::memory_order_release);
        site.field->record.store(found.field->record, std::memory_order_release);
      }
      site.is_static = is_static;
      parts[1] = a.sites.add(site);
      parts[2] = a.sites.add_atomic(site);
    }
  }
  jni->SetLongArrayRegion(answer, 0, static_cast<jsize>(std::size(parts)), parts);
}

jlong JNICALL resolve_static_sync(JNIEnv* jni, jclass, jclass type, jlong offset) {
  return agent()->resolver.static_sync_word_of(jni, type, offset);
}

jlong JNICALL resolve_number(JNIEnv* jni, jclass, jclass type) { return agent()->resolver.number_offset_of(jni, type); }
jlong JNICALL resolve_monitor(JNIEnv* jni, jclass, jclass type) { return agent()->resolver.monitor_word_of(jni, type); }

jboolean JNICALL on_acquire(JNIEnv*, jclass, jlong state, jlong word) {
  return engine::acquire(state_at(state), sync(word));
}

void JNICALL on_use_during_init(JNIEnv*, jclass, jlong state, jlong init_word) {
  agent()->pending_inits.add(state_at(state), reinterpret_cast<const std::uint64_t*>(init_word));
}

jlong JNICALL on_release(JNIEnv*, jclass, jlong state, jlong old) {
  return bits(engine::release(state_at(state), sync(old)));
}

jlong JNICALL on_release_join(JNIEnv*, jclass, jlong state, jlong word) {
  return bits(engine::release_join(state_at(state), sync(word)));
}

jlong JNICALL on_freeze(JNIEnv*, jclass, jlong state) { return bits(engine::freeze(state_at(state))); }

void JNICALL on_frozen_read(JNIEnv*, jclass, jlong state, jlong word) {
  engine::on_frozen_read(state_at(state), sync(word));
}

jlong JNICALL new_lock(JNIEnv*, jclass) { return static_cast<jlong>(agent()->locks.fetch_add(1) + 1); }

template <void (*kRule)(ThreadState&, std::uint64_t)>
void JNICALL on_lock_rule(JNIEnv*, jclass, jlong state, jlong lock) {
  kRule(state_at(state), static_cast<std::uint64_t>(lock));
}

void JNICALL discard(JNIEnv*, jclass, jlong state, jlong unused, jlong kept) {
  engine::discard(state_at(state), sync(unused), sync(kept));
}

jlong JNICALL resolve_field(JNIEnv* jni, jclass, jobject object, jint site) {
  return agent()->resolver.resolve_instance(jni, object, agent()->sites.at(static_cast<std::uint32_t>(site)));
}

jlong JNICALL resolve_static(JNIEnv* jni, jclass, jint site) {
  return agent()->resolver.resolve_static(jni, agent()->sites.at(static_cast<std::uint32_t>(site)));
}

jlong JNICALL resolve_sync(JNIEnv* jni, jclass, jclass type, jlong offset) {
  return agent()->resolver.sync_word_of(jni, type, offset);
}

jlong JNICALL on_start(JNIEnv* jni, jclass, jlong state) {
  return static_cast<jlong>(agent()->creations.take(jni, state_at(state).id));
}

void JNICALL attach_thread(JNIEnv* jni, jclass, jobject thread) { agent()->threads.attach(jni, thread); }

void JNICALL end_thread(JNIEnv* jni, jclass, jobject thread) { agent()->threads.end(jni, thread); }

void JNICALL on_all_ended(JNIEnv*, jclass, jlong state) { agent()->threads.on_all_ended(state_at(state)); }

jint JNICALL count_words(JNIEnv* jni, jclass, jclass type) {
  return static_cast<jint>(agent()->resolver.words_in(jni, type).size());
}

void JNICALL fill_words(JNIEnv* jni, jclass, jclass type, jlongArray into) {
  const std::vector<jlong> words = agent()->resolver.words_in(jni, type);
  if (static_cast<jsize>(words.size()) == jni->GetArrayLength(into)) {
    jni->SetLongArrayRegion(into, 0, static_cast<jsize>(words.size()), words.data());
  }
}

jint JNICALL new_way(JNIEnv* jni, jclass, jlong history, jint context, jint site) {
  ThreadHistory& of_thread = *reinterpret_cast<HistoryView*>(history)->owner;
  return static_cast<jint>(
      agent()->history.way(jni, of_thread, static_cast<std::uint32_t>(context), static_cast<std::uint32_t>(site)));
}

jlong JNICALL name_lock(JNIEnv* jni, jclass, jobject synchroniser) {
  return static_cast<jlong>(agent()->lock_table.add(class_of(agent()->jvmti, jni, synchroniser)));
}

void JNICALL enlarge(JNIEnv*, jclass, jlong history) { reinterpret_cast<HistoryView*>(history)->owner->enlarge(); }

jlong JNICALL allocate_words(JNIEnv*, jclass, jlong bytes, jlong most) {
  return reinterpret_cast<jlong>(
      agent()->array_words.allocate(static_cast<std::size_t>(bytes), static_cast<std::size_t>(most)));
}

void JNICALL free_words(JNIEnv*, jclass, jlong words, jlong bytes) {
  agent()->array_words.free(reinterpret_cast<std::uint64_t*>(words), static_cast<std::size_t>(bytes));
}

jlong JNICALL inherit_init(JNIEnv* jni, jclass, jlong address) {
  std::uint64_t& word = *reinterpret_cast<std::uint64_t*>(address);
  if (const auto heir = heir_of(word)) agent()->resolver.learn_supers(jni, agent()->classes.at(*heir));
  return static_cast<jlong>(resolve_inherited_init(word, agent()->classes));
}

// The address of the init word of a class, 0 if it has none.
jlong JNICALL init_word_of_class(JNIEnv* jni, jclass, jclass type) {
  const ClassInfo* info = agent()->resolver.info_of(jni, type);
  if (info == nullptr || info->init == 0) return 0;
  return reinterpret_cast<jlong>(agent()->words.init_words() + info->init);
}

// From now on constructors of the class and of its superclasses tell of their end.
void JNICALL mark_finalizable(JNIEnv* jni, jclass, jclass type) {
  for (jclass at = static_cast<jclass>(jni->NewLocalRef(type)); at != nullptr;) {
    const ClassInfo* info = agent()->resolver.info_of(jni, at);
    if (info != nullptr && info->finalizable != 0)
      std::atomic_ref(agent()->words.init_words()[info->finalizable]).store(1, std::memory_order_relaxed);
    const jclass super = jni->GetSuperclass(at);
    jni->DeleteLocalRef(at);
    at = super;
  }
}

void JNICALL heap_exhausted(JNIEnv*, jclass) { agent()->on_heap_exhausted(); }

void JNICALL yield_processor(JNIEnv*, jclass) { sched_yield(); }

void fill(JNIEnv* jni, jlongArray into, const HandleShape& shape) {
  jni->SetLongArrayRegion(into, 0, static_cast<jsize>(shape.size()), shape.data());
}

void JNICALL describe(JNIEnv* jni, jclass, jobject handle, jlongArray shape) {
  fill(jni, shape, shape_of_var_handle(jni, agent()->resolver, handle));
}

void JNICALL describe_method_handle(JNIEnv* jni, jclass, jobject handle, jlongArray shape) {
  fill(jni, shape, shape_of_method_handle(jni, agent()->resolver, handle));
}

jboolean JNICALL take_wait(JNIEnv* jni, jclass) { return watch_native_wait(agent()->jvmti, jni); }

jobject JNICALL static_base(JNIEnv* jni, jclass, jobject handle) { return static_base_of(jni, handle); }

jbyteArray JNICALL rewrite_hidden(JNIEnv* jni, jclass, jobject loader, jbyteArray bytes) {
  std::vector<std::uint8_t> given(static_cast<std::size_t>(jni->GetArrayLength(bytes)));
  jni->GetByteArrayRegion(bytes, 0, static_cast<jsize>(given.size()), reinterpret_cast<jbyte*>(given.data()));
  FieldResolver& resolver = agent()->resolver;
  const bool from_jdk = loader == nullptr || resolver.is_platform_loader(jni, loader);
  const LoaderId id = loader == nullptr ? LoaderId{} : resolver.loader_id(jni, loader);
  const auto rewritten = agent()->hidden_classes.rewrite(given, id, from_jdk);
  if (!rewritten) return nullptr;
  const auto size = static_cast<jsize>(rewritten->size());
  const jbyteArray result = jni->NewByteArray(size);
  if (result == nullptr) {
    jni->ExceptionClear();  // the heap is full; the class goes without
    return nullptr;
  }
  jni->SetByteArrayRegion(result, 0, size, reinterpret_cast<const jbyte*>(rewritten->data()));
  return result;
}

void JNICALL hunt_request(JNIEnv* jni, jclass, jlong self, jobject lock, jint site) {
  agent()->hunt->request(jni, reinterpret_cast<HuntThread*>(self), lock, static_cast<std::uint32_t>(site));
}

void JNICALL hunt_acquired(JNIEnv* jni, jclass, jlong self) {
  agent()->hunt->acquired(jni, *reinterpret_cast<HuntThread*>(self));
}

void JNICALL hunt_released(JNIEnv* jni, jclass, jlong self, jobject lock, jint site) {
  agent()->hunt->released(jni, *reinterpret_cast<HuntThread*>(self), lock, static_cast<std::uint32_t>(site));
}

}  // namespace

bool register_natives(JNIEnv* jni, std::span<const ShimClass> classes) {
  const JNINativeMethod sites[] = {
      native_method("resolveField", "(Ljava/lang/Object;I)J", resolve_field),
      native_method("resolveStatic", "(I)J", resolve_static),
  };
  const JNINativeMethod words[] = {
      native_method("onRead", "(JJJI)J", on_read),
      native_method("onWrite", "(JJJI)J", on_write),
      native_method("onNewRace", "(JLjava/lang/Object;IIZ)J", on_new_race),
      native_method("onChange", "(JJZILjava/lang/Object;I)V", on_change),
      native_method("onCandidate", "(JJJZILjava/lang/Object;IJ)J", on_candidate),
      native_method("retract", "(J)V", retract),
  };
  const JNINativeMethod vm[] = {
      native_method("setting", "(I)J", setting),
      native_method("yieldProcessor", "()V", yield_processor),
  };
  const JNINativeMethod synchronisation[] = {
      native_method("onAcquire", "(JJ)Z", on_acquire),
      native_method("onRelease", "(JJ)J", on_release),
      native_method("onReleaseJoin", "(JJ)J", on_release_join),
      native_method("discard", "(JJJ)V", discard),
      native_method("onFreeze", "(J)J", on_freeze),
      native_method("onFrozenRead", "(JJ)V", on_frozen_read),
      native_method("takeWait0", "()Z", take_wait),
  };
  const JNINativeMethod threads[] = {
      native_method("onStart", "(J)J", on_start),
      native_method("attach", "(Ljava/lang/Object;)V", attach_thread),
      native_method("end", "(Ljava/lang/Object;)V", end_thread),
      native_method("onAllEnded", "(J)V", on_all_ended),
  };
  const JNINativeMethod sync_words[] = {
      native_method("resolveSync", "(Ljava/lang/Class;J)J", resolve_sync),
      native_method("resolveStaticSync", "(Ljava/lang/Class;J)J", resolve_static_sync),
  };
  const JNINativeMethod initialisation[] = {
      native_method("onUseDuringInit", "(JJ)V", on_use_during_init),
      native_method("inherit", "(J)J", inherit_init),
      native_method("initWord", "(Ljava/lang/Class;)J", init_word_of_class),
  };
  const JNINativeMethod finalizers[] = {native_method("mark", "(Ljava/lang/Class;)V", mark_finalizable)};
  const JNINativeMethod offsets[] = {
      native_method("onAtomicRead", "(JJJI)J", on_atomic_read),
      native_method("onAtomicWrite", "(JJJI)J", on_atomic_write),
      native_method("onAtomicUpdate", "(JJJJI)J", on_atomic_update),
  };
  const JNINativeMethod variables[] = {native_method("resolve", "(Ljava/lang/Class;ZJI[J)V", resolve_variable)};
  const JNINativeMethod handles[] = {
      native_method("describe", "(Ljava/lang/invoke/VarHandle;[J)V", describe),
      native_method("staticBase", "(Ljava/lang/invoke/VarHandle;)Ljava/lang/Object;", static_base),
  };
  const JNINativeMethod method_handles[] = {
      native_method("describe", "(Ljava/lang/invoke/MethodHandle;[J)V", describe_method_handle),
  };
  const JNINativeMethod clones[] = {
      native_method("countWords", "(Ljava/lang/Class;)I", count_words),
      native_method("fillWords", "(Ljava/lang/Class;[J)V", fill_words),
  };
  const JNINativeMethod hidden[] = {native_method("rewritten", "(Ljava/lang/ClassLoader;[B)[B", rewrite_hidden)};
  const JNINativeMethod locks[] = {
      native_method("newLock", "()J", new_lock),
      native_method("onLock", "(JJ)V", on_lock_rule<engine::on_lock>),
      native_method("onUnlock", "(JJ)V", on_lock_rule<engine::on_unlock>),
      native_method("onLockShared", "(JJ)V", on_lock_rule<engine::on_lock_shared>),
      native_method("onUnlockShared", "(JJ)V", on_lock_rule<engine::on_unlock_shared>),
      native_method("onWaitBegin", "(JJ)V", on_lock_rule<engine::on_wait_begin>),
      native_method("onWaitEnd", "(JJ)V", on_lock_rule<engine::on_wait_end>),
  };
  const JNINativeMethod history[] = {
      native_method("newWay", "(JII)I", new_way),
      native_method("enlarge", "(J)V", enlarge),
  };
  const JNINativeMethod lock_history[] = {native_method("nameLock", "(Ljava/lang/Object;)J", name_lock)};
  const JNINativeMethod hunt[] = {
      native_method("request", "(JLjava/lang/Object;I)V", hunt_request),
      native_method("acquired", "(J)V", hunt_acquired),
      native_method("released", "(JLjava/lang/Object;I)V", hunt_released),
  };
  const JNINativeMethod array_memory[] = {
      native_method("allocateWords", "(JJ)J", allocate_words),
      native_method("freeWords", "(JJ)V", free_words),
  };
  const JNINativeMethod numbers[] = {native_method("resolveNumber", "(Ljava/lang/Class;)J", resolve_number)};
  const JNINativeMethod monitors[] = {native_method("resolveMonitor", "(Ljava/lang/Class;)J", resolve_monitor)};
  const JNINativeMethod map[] = {native_method("heapExhausted", "()V", heap_exhausted)};
  const bool bound = bind_natives(jni, classes, "java/lang/DeadheatVm", vm) &&
                     bind_natives(jni, classes, "java/lang/Deadheat", sites) &&
                     bind_natives(jni, classes, "java/lang/DeadheatWords", words) &&
                     bind_natives(jni, classes, "java/lang/DeadheatSyncWords", sync_words) &&
                     bind_natives(jni, classes, "java/lang/DeadheatSync", synchronisation) &&
                     bind_natives(jni, classes, "java/lang/DeadheatThreads", threads) &&
                     bind_natives(jni, classes, "java/lang/DeadheatInit", initialisation) &&
                     bind_natives(jni, classes, "java/lang/DeadheatFinalizers", finalizers) &&
                     bind_natives(jni, classes, "java/lang/DeadheatOffsets", offsets) &&
                     bind_natives(jni, classes, "java/lang/DeadheatVariable", variables) &&
                     bind_natives(jni, classes, "java/lang/DeadheatHistory", history) &&
                     bind_natives(jni, classes, "java/lang/DeadheatLockHistory", lock_history) &&
                     bind_natives(jni, classes, "java/lang/DeadheatHandles", handles) &&
                     bind_natives(jni, classes, "java/lang/DeadheatMethodHandles", method_handles) &&
                     bind_natives(jni, classes, "java/lang/DeadheatClones", clones) &&
                     bind_natives(jni, classes, "java/lang/DeadheatHidden", hidden) &&
                     bind_natives(jni, classes, "java/lang/DeadheatMap", map) &&
                     bind_natives(jni, classes, "java/lang/DeadheatNumbers", numbers) &&
                     bind_natives(jni, classes, "java/lang/DeadheatMonitors", monitors) &&
                     bind_natives(jni, classes, "java/lang/DeadheatArrayWords", array_memory) &&
                     bind_natives(jni, classes, "java/lang/DeadheatLocks", locks) &&
                     bind_natives(jni, classes, "java/lang/DeadheatHunt", hunt) && bind_gate_natives(jni, classes);
  if (!bound) jni->ExceptionClear();
  return bound;
}

}  // namespace deadheat::agent
