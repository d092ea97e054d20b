// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jvmti.h>

#include <string>

namespace deadheat::agent {

// The class of an object, and a class, as people write it: `java.util.ArrayList`, `int[]`.
std::string class_of(jvmtiEnv* jvmti, JNIEnv* jni, jobject object);
std::string name_of_class(jvmtiEnv* jvmti, jclass type);
// Whether the object is an instance of a class of the JDK: a/b/C.
bool is_instance(JNIEnv* jni, jobject object, const char* class_name);
// The identity hash, as in `Account@1f`; empty when the VM does not tell.
std::string identity_hash(jvmtiEnv* jvmti, jobject object);

}  // namespace deadheat::agent
