// SPDX-License-Identifier: Apache-2.0
#include "agent/shim.h"

#include "agent/embedded_classes.h"

namespace deadheat::agent {

namespace {

// The class that DeadheatBoot.load() names.
constexpr std::string_view kTrigger = "java/util/InputMismatchException";

// Calls a static method without arguments of DeadheatBoot; false on any exception.
bool call_boot(JNIEnv* jni, jclass boot, const char* name, const char* descriptor) {
  const jmethodID method = jni->GetStaticMethodID(boot, name, descriptor);
  if (method != nullptr) {
    if (descriptor[2] == 'V') {
      jni->CallStaticVoidMethod(boot, method);
    } else {
      jni->CallStaticObjectMethod(boot, method);
    }
  }
  if (!jni->ExceptionCheck()) return true;
  jni->ExceptionDescribe();  // to stderr: what to put into a bug report
  jni->ExceptionClear();
  return false;
}

}  // namespace

Status Shim::install(JNIEnv* jni) {
  for (const EmbeddedClass& embedded : embedded_classes()) {
    const jclass defined = jni->DefineClass(embedded.name, nullptr, reinterpret_cast<const jbyte*>(embedded.begin),
                                            static_cast<jsize>(embedded.end - embedded.begin));
    if (defined == nullptr) {
      jni->ExceptionClear();
      return Error{std::string("this JVM refuses the class ") + embedded.name};
    }
    classes_.push_back({embedded.name, defined});
  }
  const jclass boot = classes_.front().type;
  const bool called = call_boot(jni, boot, "bind", "()Ljava/lang/Object;");
  classes_.clear();
  if (!called || !bound_) return Error{"this JVM does not bind the agent's native methods"};
  boot_ = static_cast<jclass>(jni->NewGlobalRef(boot));
  return Ok{};
}

Status Shim::start(JNIEnv* jni) {
  if (call_boot(jni, boot_, "start", "()V")) return Ok{};
  return Error{"the agent's classes do not start on this JVM"};
}

void Shim::on_class_load(JNIEnv* jni, std::string_view name) {
  if (!classes_.empty() && !bound_ && name == kTrigger) bound_ = register_natives(jni, classes_);
}

}  // namespace deadheat::agent
