// SPDX-License-Identifier: Apache-2.0
#include "agent/stack_frames.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace deadheat::agent {

namespace {

constexpr int kMostFrames = 256;
constexpr std::string_view kOurClasses = "java/lang/Deadheat";

// Text that JVMTI allocates.
class Text {
 public:
  explicit Text(jvmtiEnv* jvmti) : jvmti_(jvmti) {}
  ~Text() { jvmti_->Deallocate(reinterpret_cast<unsigned char*>(text_)); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  char** out() { return &text_; }
  std::string_view view() const { return text_ == nullptr ? "" : text_; }

 private:
  jvmtiEnv* const jvmti_;
  char* text_ = nullptr;
};

std::string dotted(std::string_view internal) {
  std::string name(internal);
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

int line_of(jvmtiEnv* jvmti, const jvmtiFrameInfo& frame) {
  jint count = 0;
  jvmtiLineNumberEntry* table = nullptr;
  if (jvmti->GetLineNumberTable(frame.method, &count, &table) != JVMTI_ERROR_NONE) return 0;
  int line = 0;
  jlocation best = -1;  // entries come in any order
  for (jint i = 0; i < count; ++i) {
    if (table[i].start_location > frame.location || table[i].start_location <= best) continue;
    best = table[i].start_location;
    line = table[i].line_number;
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(table));
  return line;
}

std::string readable(std::string_view signature) {
  std::size_t dimensions = 0;
  while (dimensions < signature.size() && signature[dimensions] == '[') ++dimensions;
  signature.remove_prefix(dimensions);
  static constexpr std::pair<char, std::string_view> kPrimitives[] = {
      {'Z', "boolean"}, {'B', "byte"}, {'C', "char"},  {'S', "short"},
      {'I', "int"},     {'J', "long"}, {'F', "float"}, {'D', "double"}};
  std::string name;
  if (signature.size() > 2 && signature.front() == 'L') name = dotted(signature.substr(1, signature.size() - 2));
  for (const auto& [letter, primitive] : kPrimitives) {
    if (signature.size() == 1 && signature.front() == letter) name = primitive;
  }
  while (dimensions-- > 0) name += "[]";
  return name;
}

}  // namespace

void write_frames(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread, JsonWriter& json) {
  jvmtiFrameInfo frames[kMostFrames];
  jint count = 0;
  if (jvmti->GetStackTrace(thread, 0, kMostFrames, frames, &count) != JVMTI_ERROR_NONE) return;
  bool ours = true;  // hooks are on top; Object.wait may be under them
  for (jint i = 0; i < count; ++i) {
    jclass type = nullptr;
    if (jvmti->GetMethodDeclaringClass(frames[i].method, &type) != JVMTI_ERROR_NONE) continue;
    Text signature(jvmti), method(jvmti), source(jvmti);
    jvmti->GetClassSignature(type, signature.out(), nullptr);
    jvmti->GetMethodName(frames[i].method, method.out(), nullptr, nullptr);
    jvmti->GetSourceFileName(type, source.out());
    jni->DeleteLocalRef(type);
    std::string_view name = signature.view();
    if (name.size() > 2) name = name.substr(1, name.size() - 2);
    if (name.starts_with(kOurClasses) || (ours && name == "java/lang/Object")) continue;
    ours = false;
    json.begin_object().field("class", dotted(name)).field("method", method.view());
    json.field("file", source.view()).field("line", line_of(jvmti, frames[i])).end_object();
  }
}

std::string class_of(jvmtiEnv* jvmti, JNIEnv* jni, jobject object) {
  const jclass type = jni->GetObjectClass(object);
  Text signature(jvmti);
  jvmti->GetClassSignature(type, signature.out(), nullptr);
  jni->DeleteLocalRef(type);
  return readable(signature.view());
}

}  // namespace deadheat::agent
