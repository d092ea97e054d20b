// SPDX-License-Identifier: Apache-2.0
#include "agent/object_class.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

namespace deadheat::agent {

namespace {

std::string readable(std::string_view signature) {
  std::size_t dimensions = 0;
  while (dimensions < signature.size() && signature[dimensions] == '[') ++dimensions;
  signature.remove_prefix(dimensions);
  static constexpr std::pair<char, std::string_view> kPrimitives[] = {{'Z', "boolean"}, {'B', "byte"},  {'C', "char"},
                                                                      {'S', "short"},   {'I', "int"},   {'J', "long"},
                                                                      {'F', "float"},   {'D', "double"}};
  std::string name;
  if (signature.size() > 2 && signature.front() == 'L') name = signature.substr(1, signature.size() - 2);
  for (const auto& [letter, primitive] : kPrimitives) {
    if (signature.size() == 1 && signature.front() == letter) name = primitive;
  }
  std::replace(name.begin(), name.end(), '/', '.');
  while (dimensions-- > 0) name += "[]";
  return name;
}

}  // namespace

std::string name_of_class(jvmtiEnv* jvmti, jclass type) {
  char* signature = nullptr;
  jvmti->GetClassSignature(type, &signature, nullptr);
  std::string name = readable(signature == nullptr ? "" : signature);
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(signature));
  return name;
}

std::string class_of(jvmtiEnv* jvmti, JNIEnv* jni, jobject object) {
  const jclass type = jni->GetObjectClass(object);
  std::string name = name_of_class(jvmti, type);
  jni->DeleteLocalRef(type);
  return name;
}

bool is_instance(JNIEnv* jni, jobject object, const char* class_name) {
  const jclass type = jni->FindClass(class_name);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  const bool is = type != nullptr && jni->IsInstanceOf(object, type);
  if (type != nullptr) jni->DeleteLocalRef(type);
  return is;
}

std::string identity_hash(jvmtiEnv* jvmti, jobject object) {
  jint hash = 0;
  if (jvmti->GetObjectHashCode(object, &hash) != JVMTI_ERROR_NONE) return "";
  char text[16];
  std::snprintf(text, sizeof text, "%x", static_cast<unsigned>(hash));
  return text;
}

}  // namespace deadheat::agent
