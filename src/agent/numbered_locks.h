// SPDX-License-Identifier: Apache-2.0
//
// Names for the locks in the scheduler's records that tell two of one class apart: "java.lang.Object@2" is the second
// lock of its class that was named in this run, and has that name in every later record. Under the scheduler's lock.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace deadheat::agent {

class NumberedLocks {
 public:
  explicit NumberedLocks(jvmtiEnv* jvmti) : jvmti_(jvmti) {}

  // Of a monitor, of a synchroniser (the lock around it), or of any other object. Empty: it is nobody's lock.
  std::string name(JNIEnv* jni, jobject object);

 private:
  struct Known {
    jweak object;
    std::string name;
  };
  jvmtiEnv* const jvmti_;
  std::vector<Known> known_;  // few: what was held or waited for where threads met or stood still
  std::unordered_map<std::string, std::uint32_t> counts_;  // by class
};

}  // namespace deadheat::agent
