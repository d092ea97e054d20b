// SPDX-License-Identifier: Apache-2.0
#include "agent/stack_walker.h"

#include <algorithm>
#include <mutex>
#include <string_view>

namespace deadheat::agent {

namespace {

// Frames that no Java stack trace shows: ours, and the adapters between a call site and a lambda's body.
bool is_hidden(std::string_view name) {
  constexpr std::string_view kInvoke = "java/lang/invoke/";
  if (name.starts_with("java/lang/Deadheat")) return true;
  // A hidden class has a suffix that no class file can have.
  if (name.find("$$Lambda") != std::string_view::npos && name.find_first_of("+.") != std::string_view::npos)
    return true;
  return name.starts_with(kInvoke) &&
         (name.find("LambdaForm$") != std::string_view::npos || name.find("$Holder") != std::string_view::npos);
}

}  // namespace

StackWalker::Method StackWalker::read(JNIEnv* jni, jmethodID id) const {
  Method method;
  jclass type = nullptr;
  char* signature = nullptr;
  char* name = nullptr;
  char* file = nullptr;
  jvmtiLineNumberEntry* lines = nullptr;
  jint count = 0;
  if (jvmti_->GetMethodDeclaringClass(id, &type) == JVMTI_ERROR_NONE) {
    jvmti_->GetClassSignature(type, &signature, nullptr);
    jvmti_->GetSourceFileName(type, &file);
    jni->DeleteLocalRef(type);
  }
  jvmti_->GetMethodName(id, &name, nullptr, nullptr);
  if (jvmti_->GetLineNumberTable(id, &count, &lines) == JVMTI_ERROR_NONE) method.lines.assign(lines, lines + count);
  std::sort(method.lines.begin(), method.lines.end(),
            [](const auto& a, const auto& b) { return a.start_location < b.start_location; });
  const std::string_view text = signature == nullptr ? "" : signature;
  if (text.size() > 2) method.class_name = text.substr(1, text.size() - 2);
  method.name = name == nullptr ? "?" : name;
  if (file != nullptr) method.file = file;
  method.left_out = is_hidden(method.class_name);
  for (void* memory :
       {static_cast<void*>(signature), static_cast<void*>(name), static_cast<void*>(file), static_cast<void*>(lines)}) {
    jvmti_->Deallocate(static_cast<unsigned char*>(memory));
  }
  return method;
}

void StackWalker::add(JNIEnv* jni, jmethodID id) {
  Method method = read(jni, id);
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  const auto [at, added] = numbers_.emplace(id, static_cast<std::uint32_t>(methods_.size()));
  if (added) methods_.push_back(std::move(method));
}

std::uint32_t StackWalker::Method::line_at(jlocation place) const {
  const auto after = std::upper_bound(lines.begin(), lines.end(), place,
                                      [](jlocation at, const auto& entry) { return at < entry.start_location; });
  return after == lines.begin() ? 0 : static_cast<std::uint32_t>(std::prev(after)->line_number);
}

std::vector<StackFrame> StackWalker::of(JNIEnv* jni, jthread thread) {
  jvmtiFrameInfo infos[kMostFrames];
  jint count = 0;
  std::vector<StackFrame> frames;
  if (jvmti_->GetStackTrace(thread, 0, kMostFrames, infos, &count) != JVMTI_ERROR_NONE) return frames;
  frames.reserve(static_cast<std::size_t>(count));
  std::shared_lock<std::shared_mutex> lock(mutex_);
  for (jint i = 0; i < count; ++i) {
    std::uint32_t number = 0;
    const Method& method = find(jni, infos[i].method, lock, number);
    if (!method.left_out) frames.push_back({number, method.line_at(infos[i].location)});
  }
  return frames;
}

const StackWalker::Method& StackWalker::find(JNIEnv* jni, jmethodID id, std::shared_lock<std::shared_mutex>& lock,
                                             std::uint32_t& number) {
  auto found = numbers_.find(id);
  if (found == numbers_.end()) {
    lock.unlock();
    add(jni, id);
    lock.lock();
    found = numbers_.find(id);
  }
  number = found->second;
  return methods_[number];
}

std::vector<std::uint32_t> StackWalker::methods(JNIEnv* jni, jthread thread, std::uint32_t most) {
  // Frames of ours and of lambdas are left out, so a few more are asked for.
  constexpr std::uint32_t kLeftOut = 12;
  jvmtiFrameInfo infos[kMostFrames];
  jint count = 0;
  std::vector<std::uint32_t> numbers;
  const auto wanted = static_cast<jint>(std::min<std::uint32_t>(most + kLeftOut, kMostFrames));
  if (jvmti_->GetStackTrace(thread, 0, wanted, infos, &count) != JVMTI_ERROR_NONE) return numbers;
  std::shared_lock<std::shared_mutex> lock(mutex_);
  for (jint i = 0; i < count && numbers.size() < most; ++i) {
    std::uint32_t number = 0;
    if (!find(jni, infos[i].method, lock, number).left_out) numbers.push_back(number);
  }
  return numbers;
}

void StackWalker::write(JsonWriter& json, const std::vector<StackFrame>& frames) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  json.begin_array();
  for (const StackFrame& frame : frames) {
    const Method& method = methods_[frame.method];
    std::string class_name = method.class_name;
    std::replace(class_name.begin(), class_name.end(), '/', '.');
    json.begin_object().field("class", class_name).field("method", method.name);
    json.field("file", method.file).field("line", frame.line).end_object();
  }
  json.end_array();
}

std::string_view StackWalker::class_of(const StackFrame& frame) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  return methods_[frame.method].class_name;
}

std::string_view StackWalker::method_of(const StackFrame& frame) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  return methods_[frame.method].name;
}

}  // namespace deadheat::agent
