// SPDX-License-Identifier: Apache-2.0
//
// Puts the embedded shim classes (src/java) into java.base and binds their native methods, before any Java code has
// run.
#pragma once

#include <jvmti.h>

#include <string_view>
#include <vector>

#include "agent/natives.h"
#include "base/result.h"

namespace deadheat::agent {

class Shim {
 public:
  // In the early VMStart event: defines the classes and binds the natives. On an error nothing may be rewritten.
  Status install(JNIEnv* jni);
  // In VMInit: runs the initialisers of those classes that stand on classes of the JDK.
  Status start(JNIEnv* jni);
  // Called from the class-load hook: while install() waits for this class to be loaded, two frames of java.base are on
  // the stack, which is when natives of java.base can be registered without a warning (DeadheatBoot.java).
  void on_class_load(JNIEnv* jni, std::string_view name);

 private:
  std::vector<ShimClass> classes_;  // filled and emptied by install()
  bool bound_ = false;
  jclass boot_ = nullptr;  // DeadheatBoot, a global reference
};

}  // namespace deadheat::agent
