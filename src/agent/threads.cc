// SPDX-License-Identifier: Apache-2.0
#include "agent/threads.h"

#include "agent/shim_layout.h"

namespace deadheat::agent {

namespace {

jlong word(auto value) { return static_cast<jlong>(engine::bits(value)); }

}  // namespace

bool Threads::start(JNIEnv* jni, const std::string& alive_word) {
  const jclass thread = jni->FindClass("java/lang/Thread");
  const jclass context = jni->FindClass("java/lang/DeadheatContext");
  if (thread != nullptr && context != nullptr) {
    context_class_ = static_cast<jclass>(jni->NewGlobalRef(context));
    epoch_ = jni->GetFieldID(thread, "$dh$epoch", "J");
    read_epoch_ = jni->GetFieldID(thread, "$dh$reads", "J");
    state_ = jni->GetFieldID(thread, "$dh$state", "J");
    clocks_ = jni->GetFieldID(thread, "$dh$clocks", "J");
    sets_ = jni->GetFieldID(thread, "$dh$sets", "J");
    history_ = jni->GetFieldID(thread, "$dh$history", "J");
    context_ = jni->GetFieldID(thread, "$dh$context", "Ljava/lang/DeadheatContext;");
    start_word_ = jni->GetFieldID(thread, "$dh$start", "J");
    created_ = jni->GetFieldID(thread, "$dh$created", "J");
    // Last: from now on threads are attached, and the agent's own may be here already.
    alive_word_ = jni->GetFieldID(thread, alive_word.c_str(), "J");
  }
  if (!jni->ExceptionCheck()) return true;
  jni->ExceptionClear();
  return false;
}

void Threads::attach(JNIEnv* jni, jthread thread, bool is_main) {
  if (alive_word_ == nullptr || jni->GetLongField(thread, state_) != 0) return;
  model::ThreadId id;
  {
    Info info = describe(jni, thread);
    info.creation = Creation{static_cast<std::uint64_t>(jni->GetLongField(thread, created_))};
    info.is_main = is_main;
    const std::lock_guard<std::mutex> lock(mutex_);
    id = model::ThreadId{static_cast<std::uint32_t>(infos_.size())};
    infos_.push_back(std::move(info));
  }
  const auto start = engine::SyncWord{static_cast<std::uint64_t>(jni->GetLongField(thread, start_word_))};
  const engine::ThreadState* state = engine_.begin_thread(start, id);
  jni->SetLongField(thread, state_, reinterpret_cast<jlong>(state));
  jni->SetLongField(thread, sets_, reinterpret_cast<jlong>(new KnownSet[kKnownSets]()));
  if (histories_ != nullptr) {
    jni->SetLongField(thread, history_, reinterpret_cast<jlong>(&histories_->begin(id)->view));
    give_context(jni, thread);
  }
  jni->SetLongField(thread, clocks_, reinterpret_cast<jlong>(state->vc));
  const engine::Epoch all = engine::make_epoch(engine::SlotId{1}, 1);
  jni->SetLongField(thread, read_epoch_, word(one_epoch_ ? all : state->read_epoch));
  jni->SetLongField(thread, epoch_, word(one_epoch_ ? all : state->epoch));
}

// Here and not at the first call: then a method need not be ready to make one when it begins, which the JIT would have
// to compile a call for into each of them. Without memory the thread does with the one that is nobody's.
void Threads::give_context(JNIEnv* jni, jthread thread) {
  const jobject context = jni->AllocObject(context_class_);
  if (context != nullptr) jni->SetObjectField(thread, context_, context);
  jni->DeleteLocalRef(context);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
}

void Threads::end(JNIEnv* jni, jthread thread) {
  if (alive_word_ == nullptr) return;
  auto* state = reinterpret_cast<engine::ThreadState*>(jni->GetLongField(thread, state_));
  if (state == nullptr) return;
  if (!info_of(state->id).is_daemon) engine::VolatileSync::on_write(*state, ends_);
  jni->SetLongField(thread, epoch_, 0);
  jni->SetLongField(thread, read_epoch_, 0);
  jni->SetLongField(thread, clocks_, 0);
  jni->SetLongField(thread, state_, 0);
  delete[] reinterpret_cast<KnownSet*>(jni->GetLongField(thread, sets_));
  jni->SetLongField(thread, sets_, 0);
  jni->SetLongField(thread, history_, 0);
  if (histories_ != nullptr) histories_->end(state->id);
  // The VM is about to clear the field that isAlive() and join() read: as if by a volatile write of ours.
  jni->SetLongField(thread, alive_word_, word(engine_.end_thread(state)));
}

model::ThreadId Threads::id_of(JNIEnv* jni, jthread thread) const {
  if (alive_word_ == nullptr) return model::ThreadId{};
  const auto* state = reinterpret_cast<const engine::ThreadState*>(jni->GetLongField(thread, state_));
  return state == nullptr ? model::ThreadId{} : state->id;
}

Threads::Info Threads::info_of(model::ThreadId id) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::uint32_t number = model::to_number(id);
  return number < infos_.size() ? infos_[number] : Info{};
}

Threads::Info Threads::describe(JNIEnv* jni, jthread thread) const {
  jvmtiThreadInfo info{};
  if (jvmti_->GetThreadInfo(thread, &info) != JVMTI_ERROR_NONE) return {"?"};
  Info described{info.name == nullptr ? "" : info.name};
  described.is_daemon = info.is_daemon == JNI_TRUE;
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(info.name));
  if (info.thread_group != nullptr) jni->DeleteLocalRef(info.thread_group);
  if (info.context_class_loader != nullptr) jni->DeleteLocalRef(info.context_class_loader);
  return described;
}

}  // namespace deadheat::agent
